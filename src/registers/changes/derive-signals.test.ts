import { expect, test } from 'vitest'
import { day, fakeStream } from '../fixture.ts'
import { deriveSignals } from './derive-signals.ts'

const observed = {
  stream: fakeStream('ukgc.licences'),
  snapshotId: 7,
  takenAt: day(20),
  previousTakenAt: day(10),
  detectedAt: day(21),
  isBackfill: false,
  inferredDomains: new Set<string>(),
}
const licensed = {
  status: 'active',
  legal_entity: 'Otter Gaming Limited',
  trading_names: [],
  authorized_domains: [],
}

test('the ref of a Signal is unique, and the same each time it is derived', () => {
  const refs = (number: number) =>
    deriveSignals(
      {
        kind: 'license',
        recordKey: 'k',
        before: licensed,
        after: { ...licensed, status: 'lapsed', expires_at: '2030-01-01' },
        wasListedBefore: false,
        wasKnown: false,
        companyId: null,
        licenseId: null,
      },
      { ...observed, snapshotNumber: number },
    ).map(signal => signal.signalRef)
  expect(refs(2)).toEqual(refs(2))
  expect(new Set([...refs(2), ...refs(3)]).size).toBe(4)
  expect(refs(2)[0]).toMatch(/^sig_[0-9A-Za-z]{24}$/)
})
