export const visibleStatuses = ['requested', 'preparing', 'ready'] as const
export type VisibleStatus = (typeof visibleStatuses)[number]

/** A list never returns to an earlier status. Only staff see cancelled lists. */
export const listStatuses = [...visibleStatuses, 'cancelled'] as const
export type ListStatus = (typeof listStatuses)[number]

export const cadences = ['one_time', 'weekly', 'continuous'] as const
export type Cadence = (typeof cadences)[number]
