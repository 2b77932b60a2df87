#include "worker/shares.h"

#include "base/check.h"
#include "worker/search/message_job.h"

void shares_clear(Shares *shares)
{
    shares->used = 0;
    shares->waits = 0;
    shares->waits_told = 0;
}

static ShareRecord *find(Shares *shares, uint32_t number)
{
    for (int i = 0; i < shares->used; i++) {
        ShareRecord *record = &shares->records[i];
        if (record->state != SHARE_FREE && record->number == number) {
            return record;
        }
    }
    return NULL;
}

/* The share in this state with the lowest number, or NULL. */
static ShareRecord *oldest(Shares *shares, ShareState state)
{
    ShareRecord *found = NULL;
    for (int i = 0; i < shares->used; i++) {
        ShareRecord *record = &shares->records[i];
        if (record->state == state && (found == NULL || record->number < found->number)) {
            found = record;
        }
    }
    return found;
}

/* ---- the search's side ---- */

static ShareRecord *free_record(Shares *shares)
{
    ShareRecord *record = oldest(shares, SHARE_FREE);
    if (record == NULL && shares->used < MESSAGE_SHARES_MAX) {
        record = &shares->records[shares->used++];
    }
    return record;
}

bool shares_offer(Shares *shares, uint32_t number, const SearchJob *job)
{
    ShareRecord *record = free_record(shares);
    CHECK(number != 0);
    if (record == NULL) {
        return false;
    }
    record->state = SHARE_OFFERED;
    record->number = number;
    record->is_raised = false;
    record->has_news = false;
    message_job_offer(job, &record->job);
    return true;
}

bool shares_withdraw(Shares *shares, uint32_t number)
{
    ShareRecord *record = find(shares, number);
    if (record == NULL || record->state == SHARE_WITHDRAWN) {
        return false;
    }
    const bool is_untold = record->state == SHARE_OFFERED;
    record->state = record->state == SHARE_OUT ? SHARE_WITHDRAWN : SHARE_FREE;
    return is_untold;
}

void shares_raise(Shares *shares, uint32_t number, int alpha)
{
    ShareRecord *record = find(shares, number);
    if (record != NULL && alpha > record->job.alpha && alpha < record->job.beta) {
        record->job.alpha = alpha;
        record->is_raised = record->state == SHARE_OUT;
    }
}

static bool has_news(const ShareRecord *record)
{
    return record->has_news && (record->state == SHARE_OUT || record->state == SHARE_OVER);
}

void shares_write_no_news(ShareNews *news)
{
    news->share = 0;
    news->is_over = false;
    news->line.length = 0;
}

bool shares_have_news(const Shares *shares)
{
    for (int i = 0; i < shares->used; i++) {
        if (has_news(&shares->records[i])) {
            return true;
        }
    }
    return false;
}

bool shares_take(Shares *shares, ShareNews *news)
{
    for (int i = 0; i < shares->used; i++) {
        ShareRecord *record = &shares->records[i];
        if (has_news(record)) {
            *news = record->news;
            record->has_news = false;
            record->state = record->state == SHARE_OVER ? SHARE_FREE : SHARE_OUT;
            return true;
        }
    }
    return false;
}

void shares_turn_wait(Shares *shares)
{
    shares->waits++;
}

/* ---- the owner's side ---- */

static bool collect_wait(Shares *shares, PoolNews *news)
{
    const bool was_parked = shares->waits_told % 2 == 1;
    const bool is_parked = shares->waits % 2 == 1;
    const bool is_news = shares->waits != shares->waits_told && (is_parked || was_parked);
    shares->waits_told = shares->waits;
    news->type = POOL_PARKED;
    news->is_parked = is_parked;
    return is_news;
}

static ShareRecord *raised(Shares *shares)
{
    for (int i = 0; i < shares->used; i++) {
        ShareRecord *record = &shares->records[i];
        if (record->state == SHARE_OUT && record->is_raised) {
            return record;
        }
    }
    return NULL;
}

bool shares_collect(Shares *shares, PoolNews *news)
{
    ShareRecord *record = oldest(shares, SHARE_WITHDRAWN);
    news->share = 0;
    news->alpha = 0;
    news->is_parked = false;
    if (record != NULL) {
        news->type = POOL_WITHDRAWN;
        record->state = SHARE_FREE;
    } else if ((record = raised(shares)) != NULL) {
        news->type = POOL_RAISED;
        news->alpha = record->job.alpha;
        record->is_raised = false;
    } else if ((record = oldest(shares, SHARE_OFFERED)) != NULL) {
        news->type = POOL_OFFERED;
        news->offered = record->job;
        record->state = SHARE_OUT;
    } else {
        return collect_wait(shares, news);
    }
    news->share = record->number;
    return true;
}

/* A share's last line may be known only from news that the search has not taken yet. */
static void keep_better_line(ShareRecord *record, const Line *before)
{
    if (before->length > 0 &&
        (record->news.line.length == 0 || before->score > record->news.line.score)) {
        record->news.line = *before;
    }
}

WorkerEvent shares_event(const PoolNews *news)
{
    return (WorkerEvent){
        .type = news->type == POOL_OFFERED     ? WORKER_EVENT_OFFERED
                : news->type == POOL_WITHDRAWN ? WORKER_EVENT_WITHDRAWN
                : news->type == POOL_RAISED    ? WORKER_EVENT_RAISED
                                               : WORKER_EVENT_PARKED,
        .lane = news->lane,
        .offered = &news->offered,
        .share = news->share,
        .alpha = news->alpha,
        .is_parked = news->is_parked,
    };
}

bool shares_deliver(Shares *shares, const Message *message)
{
    const bool is_over = message->type == MESSAGE_RESULT;
    ShareRecord *record = find(shares, is_over ? message->result.share : message->improved.share);
    if (record == NULL || record->state != SHARE_OUT) {
        return false;
    }
    const Line before = record->news.line;
    if (is_over) {
        message_job_result_news(&record->job, &message->result, &record->news);
        record->state = SHARE_OVER;
    } else {
        message_job_improved_news(&record->job, &message->improved, &record->news);
    }
    if (record->has_news) {
        keep_better_line(record, &before);
    }
    record->has_news = true;
    return true;
}
