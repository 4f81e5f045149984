/** Starts a service with imported lines and fictional registers, and sends requests for licenses. */
import type { Reading } from '@baize/registers'
import { expect } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { loadLines } from '../../../test/harness/load-lines.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../../../test/harness/service.ts'
import { day, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'

export type LicenseService = TestService & {
  load(...records: object[]): Promise<void>
  /** Syncs a fictional register of the market on a day of 2026, counted from January 1. */
  sync(market: string, dayNumber: number, ...readings: Reading[]): Promise<void>
}

export async function startLicenseService(
  options: Pick<TestServiceOptions, 'world'> = {},
): Promise<LicenseService> {
  const service = await startService(options)
  const { live } = service.service

  async function load(...records: object[]): Promise<void> {
    await loadLines(live, records, { now: day(1) })
  }

  async function sync(market: string, dayNumber: number, ...readings: Reading[]): Promise<void> {
    const moment = day(dayNumber)
    const options = { takenAt: moment, now: moment }
    const report = await syncApproved(live, fakeStream(`${market}.licenses`), [fileOf(...readings)], options)
    if (report.status !== 'applied') throw new Error(`${report.status}: ${report.reasons.join('; ')}`)
  }

  return { ...service, load, sync }
}

export async function creditsUsed(customer: Customer): Promise<number> {
  return (await customer.ask('/v1/account')).body.data.credits_used
}

export type Parameters = Record<string, string | number>

export function resolveLicense(customer: Customer, parameters: Parameters, headers = {}): Promise<Response> {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
  return customer.ask(`/v1/licenses/resolve?${query}`, { headers })
}

const misfits = declaredData('resolve_license')

/** Returns the only license of an input, after checking its schema and price. */
export async function resolveOne(customer: Customer, parameters: Parameters) {
  const { status, body } = await resolveLicense(customer, parameters)
  expect([status, body.errors]).toEqual([200, undefined])
  expect(misfits(body.data)).toBeNull()
  expect(body.data.licenses).toHaveLength(1)
  expect(body.data.credits_charged).toBe(3)
  return body.data.licenses[0]
}

export const refused = ({ status, body }: Response) => [status, body.errors?.code]
