#pragma once

#include "scene.h"

/* What must hold in every scene. The README says what each means exactly. */
enum property {
    PROPERTY_NONE, /* all held */
#define PROPERTY(name, word, claim) PROPERTY_##name,
#include "property.def"
#undef PROPERTY
    PROPERTIES,
};

const char *property_word(enum property property);
const char *property_claim(enum property property);

#define FAILURE_TEXT_SIZE 200

/* The first thing in a scene that did not hold. */
struct failure {
    enum property property; /* PROPERTY_NONE: nothing */
    uint64_t tick;
    char text[FAILURE_TEXT_SIZE]; /* who, and by how much */
};

/* What came out of a scene, for the summary. */
struct tally {
    uint64_t agents;
    uint64_t ticks;
    uint64_t agent_ticks;
    uint64_t with_goal;
    uint64_t arrived;         /* of them, first */
    uint64_t blocked;         /* of them, first */
    uint64_t overlaps_deep;   /* deeper than 1 % of the sum of radii, where there was no room */
    uint64_t overlaps_driven; /* likewise, where somebody goes farther than people in a tick */
    float driven_worst;       /* the deepest of them, as part of the sum of radii */
    uint64_t symmetric;       /* agents compared by the symmetries of one tick */
};

/* Steps the scene until everybody has arrived or is blocked, and checks every tick. Adds to *tally. */
struct failure check_scene(const struct scene *scene, struct tally *tally);

/* The same number of ticks on one thread and on three, and from the printed scenario: the digests are equal.
 */
struct failure check_sameness(const struct scene *scene);

/* One tick of the scene, shifted, turned and mirrored, steers alike. */
struct failure check_symmetry(const struct scene *scene, struct tally *tally);

/* Whether there is an arrangement without overlaps within reach of the world's: see room.c. */
bool room_is_there(const struct world *world);
