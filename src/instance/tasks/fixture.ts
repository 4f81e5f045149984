/** Starts a service with a register, a portfolio that watches it, and a receiver of webhooks. For tests. */

import type { MailSettings } from '@baize/outbound'
import { pino } from 'pino'
import { networkAllowing, startTestServer, type TestServer } from '../../../packages/outbound/fixture.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { authorisation, day, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'
import { notifyPortfolios } from './portfolio-tasks.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

export async function startNotified(mail: MailSettings | null = null) {
  let now = new Date('2026-11-20T08:00:00Z')
  const service = await startService({ now: () => now })
  const customer = await service.customer()
  const receiver = await startTestServer()
  let today = 1
  const list = async (...sites: string[]) => {
    today += 1
    const rows = ['always.example', ...sites].map(site => authorisation(site))
    const at = { takenAt: day(today), now: day(today) }
    await syncApproved(service.service.live, fakeStream('malta.sites'), [fileOf(...rows)], at)
  }
  await list()
  const work = async (allowed = [receiver.host]) => {
    const network = networkAllowing(...allowed)
    const task = notifyPortfolios({ mail, baseUrl: 'https://baize.test', network, now: () => now })
    const log = pino({ level: 'silent' })
    await task.run({}, { world: service.service.live, log, signal: new AbortController().signal })
  }
  await work()
  return {
    service,
    customer,
    receiver,
    list,
    work,
    /** Lets time pass, and works each `everyMs`. */
    async pass(ms: number, everyMs = ms) {
      for (let passed = 0; passed < ms; passed += everyMs) {
        now = new Date(now.getTime() + everyMs)
        await work()
      }
    },
    async put(body: object, of: Customer = customer, name = 'merchants') {
      const headers = { 'content-type': 'application/json' }
      const sent = { domains: ['one.example', 'two.example'], ...body }
      return of.ask(`/v1/portfolios/${name}`, { method: 'PUT', headers, body: JSON.stringify(sent) })
    },
    notify: async () => (await customer.ask('/v1/portfolios/merchants')).body.data.notify,
    async close() {
      await receiver.close()
      await service.close()
    },
  } satisfies { service: TestService; receiver: TestServer } & Record<string, unknown>
}

export type Notified = Awaited<ReturnType<typeof startNotified>>
