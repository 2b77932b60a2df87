#include "support/uci_case.h"

#include <string.h>

#include "support/data_file.h"

enum { COLUMN_ID, COLUMN_AREA, COLUMN_SYMPTOM, COLUMN_INPUT, COLUMNS };

FILE *uci_case_open(const char *folder)
{
    FILE *file = data_file_open(folder, "cases/uci-cases.tsv");
    if (file == NULL) {
        return NULL;
    }
    for (int byte = fgetc(file); byte != '\n' && byte != EOF; byte = fgetc(file)) {
    }
    return file;
}

bool uci_case_next(FILE *file, UciCase *it)
{
    while (fgets(it->row, sizeof it->row, file) != NULL) {
        char *columns[COLUMNS] = {NULL};
        char *rest = it->row;
        rest[strcspn(rest, "\n")] = '\0';
        for (int i = 0; i < COLUMNS && rest != NULL; i++) {
            columns[i] = strsep(&rest, "\t");
        }
        it->id = columns[COLUMN_ID];
        it->area = columns[COLUMN_AREA];
        it->input = columns[COLUMN_INPUT];
        if (it->input != NULL) {
            return true;
        }
    }
    return false;
}

char *uci_case_next_line(UciCase *it)
{
    char *line = it->input;
    if (line == NULL) {
        return NULL;
    }
    char *end = strstr(line, "\\n");
    it->input = end == NULL ? NULL : end + 2;
    if (end != NULL) {
        *end = '\0';
    }
    return line;
}

bool uci_case_is_command(const char *line, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\0');
}
