import { attachment, jsonType } from '@baize/http-content'
import type { FastifyReply } from 'fastify'
import { Failure } from '../../core/failure.ts'
import { type CsvCell, csvText } from '../../features/csv-text.ts'
import {
  type AnyDataTable,
  type CellValue,
  isChosen,
  type TableAddress,
  tableFile,
} from '../../pages/index.ts'
import { okEnvelope } from '../answer/envelope.ts'

export const tableFormats = ['csv', 'json'] as const
export type TableFormat = (typeof tableFormats)[number]

/** Splits the ending of a table's file from a path. */
export function splitFormat(path: string): { path: string; format: TableFormat | null } {
  const format = tableFormats.find(each => path.endsWith(`.${each}`)) ?? null
  return { path: format === null ? path : path.slice(0, -format.length - 1), format }
}

/** Refuses a table or a column that the page does not have. Returns the chosen table. */
export function requireTable(tables: readonly AnyDataTable[], address: TableAddress): AnyDataTable {
  const chosen = tables.find(each => isChosen(each, address))
  if (chosen === undefined)
    throw notOneOf(
      'table',
      tables.map(each => each.id),
    )
  const keys = chosen.columns.flatMap(({ key }) => (key === undefined ? [] : [key]))
  const isKey = (text: string | undefined) => text !== undefined && keys.includes(text)
  if (address.sort !== null && !isKey(address.sort.replace(/^-/, ''))) throw notOneOf('sort', keys)
  if (!address.where.every(each => each.includes(':') && isKey(each.split(':', 1)[0])))
    throw notOneOf(
      'where',
      keys.map(key => `${key}:VALUE`),
    )
  return chosen
}

function notOneOf(parameter: string, accepted: readonly string[]): Failure {
  const takes = `one of ${accepted.join(', ')}`
  return new Failure('invalid_parameter', {
    message: `"${parameter}" must be ${takes}.`,
    details: { parameter, takes },
  })
}

type Sent = { address: TableAddress; format: TableFormat; now: Date }

/**
 * Sends the rows that the page of the address shows, as a file. A CSV of the dashboard is for spreadsheets;
 * JSON has the exact values.
 */
export function sendTable(
  reply: FastifyReply,
  table: AnyDataTable,
  { address, format, now }: Sent,
): FastifyReply {
  const { keys, rows, next, isComplete } = tableFile(table, address, format)
  if (!isComplete) requireOwnOrder(address)
  if (next !== null) reply.header('link', `<${next}>; rel="next"`)
  if (format === 'json') {
    const objects = rows.map(row => Object.fromEntries(keys.map((key, index) => [key, row[index] ?? null])))
    const data = { table: table.id, rows: objects, is_complete: isComplete, next }
    return reply.type(jsonType).send(okEnvelope(data, now))
  }
  const cells = [keys, ...rows.map(row => row.map(cellOf))]
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachment(`${table.id}.csv`))
    .send(csvText(cells, { forSpreadsheet: true }))
}

/** A part of a list in another order, or without some of its rows, would look like the whole list. */
function requireOwnOrder({ sort, where }: TableAddress): void {
  if (sort === null && where.length === 0) return
  const parameter = sort === null ? 'where' : 'sort'
  throw new Failure('invalid_parameter', {
    message: `"${parameter}" takes lists of one page; this one has several.`,
    details: { parameter, takes: 'a list of one page' },
  })
}

function cellOf(value: CellValue): CsvCell {
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'object' && value !== null ? value.join('; ') : value
}
