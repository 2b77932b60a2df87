/*
 * Lazy: the rival of split points. All slots search the root by themselves, helpers leave out some
 * depths, and they help each other only through the table of their machine and what machines push
 * to each other. The first to complete the wanted depth ends the search.
 *
 * Source: chessprogramming.org/Lazy_SMP, with the pattern of skipped depths described there
 * (root_skips).
 */
#ifndef ROOKERY_TOOLS_SIM_LAZY_H
#define ROOKERY_TOOLS_SIM_LAZY_H

#include "tools/sim/cluster.h"

/*
 * Searches a position to a depth on the machines of a cluster, all forgotten before. The others
 * begin one hop after the first, and their answers take another. `solution`, if not NULL, is told
 * when any of them completes a depth that nobody has completed before, and ends the search when it
 * is over. Errors: STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status lazy_search(const ClusterConfig *config,
                                                       const Position *position, int depth,
                                                       Solution *solution, ClusterOutcome *outcome);

#endif
