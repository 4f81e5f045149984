import { counted } from '@baize/names'
import { Type } from 'typebox'
import { type CursorScope, openCursor } from '../core/cursor.ts'
import { Failure } from '../core/failure.ts'
import { nullable } from '../core/schema.ts'

/** The deepest row of a page by number; cursors have no limit. */
const pageDepthRowsMax = 10_000
const cursorHint = 'To go further, send next_cursor of the previous page as "after".'
const pageDepthShown = pageDepthRowsMax.toLocaleString('en')
export const cursorCharactersMax = 1_024

export type PagePosition = { after: readonly string[] } | { offset: number }

export const pagingInput = {
  /** The schema has no maximum: the limit depends on the page size, and its error explains cursors. */
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: cursorCharactersMax,
      description: 'The `next_cursor` of the previous page. Reaches any depth.',
    }),
  ),
}

/** Every paged list has the same members, so that one loop reads them all. */
export const pagingOutput = {
  next_cursor: nullable(Type.String(), {
    description: 'Send it as `after` for the next page; null at the end.',
  }),
  has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
}

/** Writes the links of a page; `cursor` is that of the next page, or null on the last. */
export const pageLinks = (cursor: string | null) => ({ next_cursor: cursor, has_more: cursor !== null })

export type PageQuery = {
  page: number
  size: { parameter: 'page_size' | 'per_page'; rows: number }
  after: string | undefined
  scope: CursorScope
}

/**
 * Reads the position of a page: by number down to 10,000 rows, or by cursor to any depth (contract section
 * 1).
 */
export function pagePosition({ page, size, after, scope }: PageQuery, secret: Buffer): PagePosition {
  if (after !== undefined) {
    if (page > 1) {
      throw new Failure('invalid_parameter', {
        message: 'With "after", omit "page".',
        details: { parameter: 'page', takes: '1, or none, with "after"' },
      })
    }
    return { after: openCursor(scope, after, secret) }
  }
  if (page * size.rows > pageDepthRowsMax) {
    throw new Failure('page_out_of_range', {
      message:
        `Page ${page} of ${counted(size.rows, 'row')} is beyond the first ${pageDepthShown} rows. ` +
        cursorHint,
      details: { page, [size.parameter]: size.rows, rows_max: pageDepthRowsMax },
    })
  }
  return { offset: (page - 1) * size.rows }
}
