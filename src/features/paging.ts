import { Type } from 'typebox'
import { type CursorScope, openCursor } from '../core/cursor.ts'
import { Failure } from '../core/failure.ts'
import { nullable } from '../core/schema.ts'

/** How deep pages by number reach; cursors have no depth. */
export const pageDepthRowsMax = 10_000
const pageDepthShown = pageDepthRowsMax.toLocaleString('en')
export const cursorCharactersMax = 1_024

/** Where a page starts: behind the row of a cursor, or so many rows from the first. */
export type PagePosition = { after: readonly string[] } | { offset: number }

/** What a search by pages takes beside its page size. */
export const pagingInput = {
  /** Without a maximum: what is too deep depends on the size of a page, and is told with the way to go on. */
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: cursorCharactersMax,
      description: 'The `next_cursor` of the page before; any depth.',
    }),
  ),
}

/** How a page leads on: the same two members in every list that pages, so that one loop walks them all. */
export const pagingOutput = {
  next_cursor: nullable(Type.String(), {
    description: 'Send it as `after` for the next page; null at the end.',
  }),
  has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
}

/** `cursor`: that of the next page; null at the end. */
export const pageLinks = (cursor: string | null) => ({ next_cursor: cursor, has_more: cursor !== null })

export type PageQuery = {
  page: number
  /** Rows a page, and the name of the parameter that says so. */
  size: { parameter: 'page_size' | 'per_page'; rows: number }
  after: string | undefined
  /** The search and its version, as its cursors begin, and what they are bound to. */
  scope: CursorScope
}

/** By page and size down to 10,000 rows, or by cursor to any depth; never by both (contract section 1). */
export function pagePosition({ page, size, after, scope }: PageQuery, secret: Buffer): PagePosition {
  if (after !== undefined) {
    if (page > 1) {
      throw new Failure('invalid_parameter', {
        message: '"page" takes no value but 1 beside "after".',
        details: { parameter: 'page', takes: 'no value but 1 beside "after"' },
      })
    }
    return { after: openCursor(scope, after, secret) }
  }
  if (page * size.rows > pageDepthRowsMax) {
    throw new Failure('page_out_of_range', {
      message: `Page ${page} of ${size.rows} rows lies beyond the first ${pageDepthShown} rows. Every page also answers next_cursor: sent as "after", it leads to any depth.`,
      details: { page, [size.parameter]: size.rows, rows_max: pageDepthRowsMax },
    })
  }
  return { offset: (page - 1) * size.rows }
}
