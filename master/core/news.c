#include "master/core/news.h"

#include "worker/search/tt.h"

static bool is_news(const NewsPlace *place, const TableEntry *entry, Instant now)
{
    return place->entry.key != entry->key ||
           instant_since(now, place->told).us >= duration_ms(NEWS_MOMENT_MS).us ||
           !tt_is_late(place->entry.data, entry->data);
}

void news_sift(News *news, MessageTable *table, Instant now)
{
    int left = 0;
    for (int i = 0; i < table->count; i++) {
        const TableEntry entry = table->entries[i];
        NewsPlace *place = &news->places[entry.key % NEWS_PLACES];
        if (tt_is_entry(entry.data) && is_news(place, &entry, now)) {
            *place = (NewsPlace){.entry = entry, .told = now};
            table->entries[left++] = entry;
        }
    }
    table->count = left;
}
