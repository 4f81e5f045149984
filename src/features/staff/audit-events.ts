import { Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { type AnswerOf, defineSessionOperation } from '../session-operation.ts'
import { readStaffEvents } from './staff-store.ts'

const rowsPerPage = 50

const text = Type.Optional(Type.String({ maxLength: 254 }))

export const listAuditEvents = defineSessionOperation({
  name: 'list_audit_events',
  method: 'GET',
  path: '/dashboard/staff/audit',
  access: 'staff',
  summary: 'What people and commands changed, latest first',
  query: closedObject({
    email: text,
    account: text,
    action: text,
    before: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  failures: [],
  async answer({ world }, { before, ...filters }) {
    const rows = await readStaffEvents(world.database, filters, { before, limit: rowsPerPage + 1 })
    const shown = rows.slice(0, rowsPerPage)
    return {
      events: shown.map(({ id: _, ...event }) => ({
        ...event,
        happened_at: event.happened_at.toISOString(),
      })),
      before: rows.length > rowsPerPage ? (shown.at(-1)?.id ?? null) : null,
    }
  },
})

export type EventList = AnswerOf<typeof listAuditEvents>
