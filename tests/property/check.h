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
    uint64_t arrived;   /* of them, first */
    uint64_t blocked;   /* of them, first */
    uint64_t symmetric; /* agents compared by the symmetries of one tick */
};

void tally_add(struct tally *sum, const struct tally *more);

/* Steps the scene until everybody has arrived or is blocked, and checks every tick. Adds to *tally. */
struct failure check_scene(const struct scene *scene, struct tally *tally);

/* The same number of ticks on one thread and on three, and from the printed scenario: the digests are equal.
 */
struct failure check_sameness(const struct scene *scene);

/* One tick of the scene, shifted, turned and mirrored, steers alike. */
struct failure check_symmetry(const struct scene *scene, struct tally *tally);

/* Of a disc in a tick. */
struct crossing {
    struct vec2 from_m;
    struct vec2 to_m;
    float radius_m;
    float way_max_m; /* longest way that it can have gone */
};

/* Whether it went through the shape: see crossing.c. from_m and to_m are clear of it by the radius. */
bool crossing_is_through(const struct steer_shape *shape, const struct crossing *crossing);
