/**
 * A value counts as current until the latest observation of its site's sections (`domains.last_observed_at`)
 * is this many days newer than the value's own: a check may miss a page. It is not measured against today, so
 * that unchecked sites lose nothing.
 */
export const observationLapseDays = 30
