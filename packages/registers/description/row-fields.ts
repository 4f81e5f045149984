/** Maps published words to the closed lists of meanings, where a description has no words for them. */

import { plain } from '@baize/tables'
import { normaliseStatus } from '../entries/license-status.ts'
import { listings, roles, statuses } from './description-schema.ts'

const among = (known: readonly string[], word: string | null) =>
  word !== null && known.includes(word) ? word : null

/** Returns null for unknown words, because a listing with an unknown status would count as licensed. */
export const asStatus = (published: string) => among(statuses, normaliseStatus(published))
export const asListing = (published: string) => among(listings, plain(published))
export const asRole = (published: string) => among(roles, plain(published))
export const asCountry = (published: string) =>
  /^[A-Za-z]{2}$/.test(published) ? published.toUpperCase() : null
