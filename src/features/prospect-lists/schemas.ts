import { type TProperties, Type } from 'typebox'
import { instant, nullable, oneOf } from '../../core/schema.ts'

export const visibleStatuses = ['requested', 'preparing', 'ready'] as const
export type VisibleStatus = (typeof visibleStatuses)[number]

/** The statuses of a list, which never returns to an earlier one. Only staff see cancelled lists. */
export const listStatuses = [...visibleStatuses, 'cancelled'] as const
export type ListStatus = (typeof listStatuses)[number]

export const cadences = ['one_time', 'weekly', 'continuous'] as const
export type Cadence = (typeof cadences)[number]

/** A later result replaces the delivered one, and the list stays ready. */
export const isDeliveredAgain = (cadence: Cadence): boolean => cadence !== 'one_time'

export const canBeDelivered = ({ status, cadence }: { status: ListStatus; cadence: Cadence }): boolean =>
  status === 'requested' || status === 'preparing' || (status === 'ready' && isDeliveredAgain(cadence))

const refCharactersMax = 64

export const listParams = {
  prospect_list_ref: Type.String({
    minLength: 1,
    maxLength: refCharactersMax,
    description: 'The reference of one of your lists.',
  }),
} satisfies TProperties

export const listMembers = {
  prospect_list_ref: Type.String(),
  status: oneOf(visibleStatuses),
  cadence: oneOf(cadences),
  requested_at: instant(),
  ready_at: nullable(instant(), {
    description:
      'null before it is ready. The latest delivery: weekly and continuous lists are delivered again.',
  }),
  target_account_count: nullable(Type.Integer(), { description: 'null before it is ready.' }),
  download_path: nullable(Type.String(), {
    description: 'Path of the CSV below the base URL; null before it is ready.',
  }),
} satisfies TProperties
