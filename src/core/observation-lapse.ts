/**
 * How long a value counts as currently observed that the latest observation of its site does not confirm. A check may
 * miss a page or be refused one, so a value is given a month; it is measured against the site's own latest
 * observation (`domains.last_observed_at`), not against today, so that a site nobody has looked at since does not lose what it
 * was last seen with.
 */
export const observationLapseDays = 30
