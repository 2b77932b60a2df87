#include "tools/tuner/positions.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/prng.h"
#include "uci_bridge/display.h"
#include "worker/search/identity.h"

enum { LINE_BYTES_MAX = 512 };

/* What the threads share. */
typedef struct {
    const PositionsSettings *settings;
    char head[LINE_BYTES_MAX]; /* the file's first line, which names all that its games depend on */
    FILE *file;
    pthread_mutex_t lock; /* guards what follows, the file and the progress on stderr */
    pthread_cond_t turn;  /* `written` has grown */
    int next;             /* the first game that nobody plays */
    int written;          /* games that are in the file */
    long samples;         /* written in this run */
    bool failed;          /* to write */
} Run;

/* One thread. */
typedef struct {
    Run *run;
    pthread_t thread;
    GamePlayer *player;
    GameRecord record;
} Seat;

/* ---- the file ---- */

/* A number for where the openings and the moves come from: positions, evaluation and search. */
static uint64_t hash_origin(const PositionsSettings *settings, uint64_t search_identity)
{
    uint64_t hash = search_identity;
    for (int i = 0; i < settings->game.opening_count; i++) {
        hash = prng_mix(hash ^ settings->game.openings[i].key);
    }
    return hash;
}

static Status write_head(Run *run)
{
    const PositionsSettings *settings = run->settings;
    Identity identity;
    const Status status = identity_measure(&identity);
    if (status_is_ok(&status)) {
        (void)snprintf(run->head, LINE_BYTES_MAX,
                       "# rookery-tuner positions: %" PRIu64 " nodes, seed %" PRIu64
                       ", openings %.300s, origin %016" PRIx64 "\n",
                       settings->game.nodes, settings->game.seed, settings->openings,
                       hash_origin(settings, identity.value));
    }
    return status;
}

/* Finds the end of the last whole game, and counts the games. */
static Status scan(Run *run, long *end)
{
    char line[LINE_BYTES_MAX];
    int number;
    char newline;
    run->written = 0;
    *end = 0;
    if (fgets(line, sizeof line, run->file) == NULL) {
        return status_ok();
    }
    if (strcmp(line, run->head) != 0) {
        return status_error(STATUS_INVALID,
                            "%s was made with other settings, openings, or another engine",
                            run->settings->out);
    }
    *end = ftell(run->file);
    while (fgets(line, sizeof line, run->file) != NULL) {
        if (sscanf(line, "# game %d%c", &number, &newline) == 2 && number == run->written) {
            run->written++;
            *end = ftell(run->file);
        }
    }
    return status_ok();
}

static Status io_error(const PositionsSettings *settings)
{
    return status_error(STATUS_IO, "%s: %s", settings->out, strerror(errno));
}

/* Opens the file behind its last whole game. */
static Status open_file(Run *run)
{
    const PositionsSettings *settings = run->settings;
    long end = 0;
    run->file = fopen(settings->out, "a+");
    if (run->file == NULL) {
        return io_error(settings);
    }
    rewind(run->file);
    const Status status = scan(run, &end);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (ftruncate(fileno(run->file), end) != 0 || fseek(run->file, end, SEEK_SET) != 0) {
        return io_error(settings);
    }
    if (end == 0 && (fputs(run->head, run->file) < 0 || fflush(run->file) != 0)) {
        return io_error(settings);
    }
    run->next = run->written;
    return status;
}

static bool write_game(FILE *file, const GameRecord *record, int number)
{
    char line[SAMPLE_BYTES_MAX];
    for (int i = 0; i < record->count; i++) {
        (void)sample_write(&record->samples[i], line);
        (void)fputs(line, file);
    }
    (void)fprintf(file, "# game %d\n", number);
    return fflush(file) == 0 && ferror(file) == 0;
}

/* ---- the games ---- */

/* A game for a thread that has none; false when there is none left. */
static bool take_game(Run *run, int *number)
{
    pthread_mutex_lock(&run->lock);
    const bool taken = run->next < run->settings->games && !run->failed;
    *number = taken ? run->next++ : -1;
    pthread_mutex_unlock(&run->lock);
    return taken;
}

/* Writes a finished game when its turn has come. */
static void hand_in(Run *run, const GameRecord *record, int number)
{
    char note[48];
    pthread_mutex_lock(&run->lock);
    while (run->written != number && !run->failed) {
        pthread_cond_wait(&run->turn, &run->lock);
    }
    if (!run->failed) {
        run->failed = !write_game(run->file, record, number);
        run->written++;
        run->samples += record->count;
        (void)snprintf(note, sizeof note, "games, %ld new positions", run->samples);
        display_progress(run->written, run->settings->games, note);
    }
    pthread_cond_broadcast(&run->turn);
    pthread_mutex_unlock(&run->lock);
}

static void *seat_main(void *argument)
{
    Seat *seat = argument;
    int number;
    while (take_game(seat->run, &number)) {
        game_play(seat->player, &seat->run->settings->game, number, &seat->record);
        hand_in(seat->run, &seat->record, number);
    }
    return NULL;
}

static Status start_seat(Seat *seat, Run *run)
{
    seat->run = run;
    const Status status = game_player_new(&seat->player);
    if (status_is_ok(&status) && pthread_create(&seat->thread, NULL, seat_main, seat) != 0) {
        game_player_destroy(&seat->player);
        return status_error(STATUS_NO_MEMORY, "cannot start another thread");
    }
    return status;
}

static Status play_games(Run *run)
{
    Seat *seats = calloc((size_t)run->settings->threads, sizeof *seats);
    if (seats == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for the games");
    }
    Status status = status_ok();
    int started = 0;
    while (started < run->settings->threads && status_is_ok(&status)) {
        status = start_seat(&seats[started], run);
        started += status_is_ok(&status);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(seats[i].thread, NULL);
        game_player_destroy(&seats[i].player);
    }
    free(seats);
    return status_is_ok(&status) && run->failed ? io_error(run->settings) : status;
}

Status positions_make(const PositionsSettings *settings)
{
    Run run = {.settings = settings};
    Status status = write_head(&run);
    if (status_is_ok(&status)) {
        status = open_file(&run);
    }
    if (status_is_ok(&status)) {
        pthread_mutex_init(&run.lock, NULL);
        pthread_cond_init(&run.turn, NULL);
        status = play_games(&run);
        pthread_cond_destroy(&run.turn);
        pthread_mutex_destroy(&run.lock);
    }
    if (run.file != NULL && fclose(run.file) != 0 && status_is_ok(&status)) {
        status = io_error(settings);
    }
    return status;
}
