import { type Static, Type } from 'typebox'
import { closed, instant, nullable } from '../../core/schema.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { readEvents } from './staff-store.ts'

const rowsPerPage = 50

const text = Type.Optional(Type.String({ maxLength: 254 }))

const eventList = Type.Object({
  events: Type.Array(
    Type.Object({
      happened_at: instant(),
      email: nullable(Type.String()),
      account_ref: nullable(Type.String()),
      action: Type.String(),
      subject: nullable(Type.String()),
      details: Type.Unsafe<Record<string, unknown>>({}),
    }),
  ),
  before: nullable(Type.Integer()),
})
export type EventList = Static<typeof eventList>

export const listAuditEvents = defineSessionOperation({
  name: 'list_audit_events',
  method: 'GET',
  path: '/dashboard/staff/audit',
  access: 'staff',
  summary: 'What people and commands changed, latest first',
  query: Type.Object(
    { email: text, account: text, action: text, before: Type.Optional(Type.Integer({ minimum: 1 })) },
    closed,
  ),
  data: eventList,
  failures: [],
  async answer({ world }, { before, ...filters }) {
    const rows = await readEvents(world.database, filters, { before, limit: rowsPerPage + 1 })
    const shown = rows.slice(0, rowsPerPage)
    return {
      events: shown.map(({ id: _, happened_at, ...event }) => ({
        ...event,
        happened_at: happened_at.toISOString(),
      })),
      before: rows.length > rowsPerPage ? (shown.at(-1)?.id ?? null) : null,
    }
  },
})
