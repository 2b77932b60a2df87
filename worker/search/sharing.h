/*
 * Sharing: how a search gives moves of its nodes away while it runs, and takes in what comes of
 * them.
 *
 * A node that may be split is opened before its moves and closed behind them. At each poll the
 * search hears of its shares, and gives more away if it is asked to, the outermost open node first.
 * News may raise a node's alpha, or end it: then the search unwinds to it, as if it had been
 * stopped, and goes on from there. The bookkeeping is that of split.h; the host carries the
 * messages.
 */
#ifndef ROOKERY_SEARCH_SHARING_H
#define ROOKERY_SEARCH_SHARING_H

#include "worker/search/node.h"

/* Opens the node to be split, if it is deep enough. */
void sharing_open(Search *search, Node *node);

/* The node is done or given up: what others still do for it is in vain. */
void sharing_close(Search *search, Node *node);

/* Tells all shares of the node of its alpha. */
void sharing_raise(Search *search, const Node *node);

/* Whether the node is the one that was unwound to, so that the search goes on from here. */
bool sharing_unwinding_ends(Search *search, const Node *node);

/* The job's bound as raised by others meanwhile. */
void sharing_refresh_alpha(Search *search);

/* A move of the job's own node beat its alpha: the line is in the node's frame. */
void sharing_report_improvement(Search *search, const Node *node);

/* Blocks until there is news of a share; the search is stopped or unwound when that ends it. */
void sharing_wait(Search *search);

/* At a poll: news of shares first, for they may end this search's present work; then new ones. */
void sharing_exchange(Search *search);

#endif
