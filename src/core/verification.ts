/** The result of comparing stored data with derived data. */
export type Verification<Difference> = { checked: number; differences: Difference[] }

/** Limits the differences that a verification lists. */
export const differencesShownMax = 20
