import { type TProperties, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { instant, nullable, oneOf } from '../../core/schema.ts'
import { cadences, visibleStatuses } from './list-values.ts'
import type { VisibleList } from './prospect-list-store.ts'
import { prospectListResult } from './result-schema.ts'

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
  ready_at: nullable(instant(), { description: 'null before it is ready.' }),
  target_account_count: nullable(Type.Integer(), { description: 'null before it is ready.' }),
  download_path: nullable(Type.String(), {
    description: 'Path of the CSV below the base URL; null before it is ready.',
  }),
} satisfies TProperties

export const resultMember = nullable(prospectListResult, { description: 'null before the list is ready.' })

export function metadataOf(list: VisibleList) {
  return {
    prospect_list_ref: list.prospect_list_ref,
    status: list.status,
    cadence: list.cadence,
    requested_at: list.requested_at.toISOString(),
    ready_at: list.ready_at?.toISOString() ?? null,
    target_account_count: list.target_account_count,
    download_path: list.status === 'ready' ? `/v1/prospect-lists/${list.prospect_list_ref}/download` : null,
  }
}

/** The same for missing, cancelled and foreign lists, so that refs cannot be probed. */
export function noSuchList(): Failure {
  return new Failure('not_found', { message: 'You have no prospect list with this reference.' })
}
