import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Stream } from '../stream.ts'
import { findStream } from '../streams.ts'
import { registerEventTypes } from './event.ts'
import { type Between, eventsOfChange } from './events-of-change.ts'
import type { EntryState, RecordChange, RecordState } from './record-change.ts'

const stream: Stream = { ...(findStream('ukgc.licences') as Stream), regulator: 'the Commission' }
const day = (number: number): Date => new Date(Date.UTC(2026, 0, number))

const between: Between = {
  stream: { ...stream, publishes: { ...stream.publishes, revoked: true } },
  takenAt: day(20),
  previousTakenAt: day(10),
  inferredDomains: new Set(),
}

const licensed: RecordState = {
  license_number: '1-R-2-001',
  license_type: 'Remote: Casino',
  status: 'active',
  issued_at: '2026-01-15',
  expires_at: null,
  source_url: null,
  role: 'operator',
  legal_entity: 'Otter Gaming Limited',
  trading_names: ['Lucky Otter'],
  authorized_domains: ['lucky-otter.example'],
}

const blocked: EntryState = {
  domain: 'red-fox.example',
  published: 'red-fox.example',
  scope: 'domain',
  listed: true,
  listed_at: null,
  delisted_at: null,
}

type Sides<State> = {
  before?: State | null
  after?: State | null
  wasListedBefore?: boolean
  wasKnown?: boolean
}

function ofLicense({
  before = null,
  after = null,
  wasListedBefore = false,
  wasKnown = false,
}: Sides<RecordState>) {
  const change: RecordChange = {
    kind: 'license',
    recordKey: '1-R-2',
    before,
    after,
    wasListedBefore,
    wasKnown,
  }
  return eventsOfChange(change, between)
}

function ofEntry({ before = null, after = null, wasListedBefore = false }: Sides<EntryState>) {
  const change: RecordChange = {
    kind: 'blocklist_entry',
    recordKey: 'red-fox.example',
    before,
    after,
    wasListedBefore,
    wasKnown: false,
  }
  return eventsOfChange(change, between)
}

const types = (signals: ReturnType<typeof eventsOfChange>) => signals.map(signal => signal.eventType)

describe('the Signals of a license', () => {
  test('each change of a license has the event types of §6, in their order', () => {
    const rows: [what: string, Sides<RecordState>, expected: string[]][] = [
      ['is added', { after: licensed }, ['added_to_register']],
      ['returns', { after: licensed, wasListedBefore: true }, ['returned_to_register']],
      ['is removed', { before: licensed }, ['removed_from_register']],
      [
        'is added as revoked: one event',
        { after: { ...licensed, status: 'revoked' } },
        ['added_to_register'],
      ],
      ['is revoked', { before: licensed, after: { ...licensed, status: 'revoked' } }, ['revoked']],
      [
        'is suspended',
        { before: licensed, after: { ...licensed, status: 'suspended' } },
        ['published_status_changed'],
      ],
      [
        'is no longer revoked',
        { before: { ...licensed, status: 'revoked' }, after: licensed },
        ['published_status_changed'],
      ],
      [
        'gets another version counter: none',
        { before: licensed, after: { ...licensed, license_number: '1-R-2-002' } },
        [],
      ],
      [
        'lists its domains in another order: none',
        {
          before: { ...licensed, authorized_domains: ['a.example', 'b.example'] },
          after: { ...licensed, authorized_domains: ['b.example', 'a.example'] },
        },
        [],
      ],
      [
        'changes in every way at once: one event per type',
        {
          before: licensed,
          after: {
            ...licensed,
            status: 'lapsed',
            license_type: 'Remote: Bingo',
            expires_at: '2027-01-01',
            legal_entity: 'Otter Group Limited',
            authorized_domains: [],
          },
        },
        [
          'published_status_changed',
          'authorized_domains_changed',
          'published_expiry_changed',
          'license_type_changed',
          'legal_entity_changed',
        ],
      ],
    ]
    expect(rows.map(([what, sides]) => [what, types(ofLicense(sides))])).toEqual(
      rows.map(([what, , expected]) => [what, expected]),
    )
  })

  test('a change of a license omits domains whose holder was only inferred', () => {
    const change: RecordChange = {
      kind: 'license',
      recordKey: 'k',
      before: { ...licensed, authorized_domains: ['lost.example', 'gone.example'] },
      after: { ...licensed, authorized_domains: ['found.example', 'new.example'] },
      wasListedBefore: false,
      wasKnown: false,
    }
    const inferredDomains = new Set(['lost.example', 'found.example'])
    expect(
      eventsOfChange(change, { ...between, inferredDomains }).map(signal => signal.content.change_set),
    ).toEqual([{ authorized_domains: { added: ['new.example'], removed: ['gone.example'] } }])
  })

  test('a source that does not publish revocations causes no revoked Signal', () => {
    const silent = { ...stream, publishes: { ...stream.publishes, revoked: false } }
    const change: RecordChange = {
      kind: 'license',
      recordKey: 'k',
      before: licensed,
      after: { ...licensed, status: 'revoked' },
      wasListedBefore: false,
      wasKnown: false,
    }
    expect(types(eventsOfChange(change, { ...between, stream: silent }))).toEqual([
      'published_status_changed',
    ])
  })

  test('an added license of an operator is a market entry, and other roles are not', () => {
    const entries = (role: NonNullable<RecordState['role']> | null) =>
      ofLicense({ after: { ...licensed, role } }).map(signal => signal.isMarketEntry)
    expect([entries('operator'), entries('supplier'), entries(null)]).toEqual([[true], [false], [false]])
  })

  test('only a new license in force that was issued recently is a market entry', () => {
    const rows: [what: string, Sides<RecordState>, isEntry: boolean][] = [
      ['added', { after: licensed }, true],
      ['white label', { after: { ...licensed, status: 'white_label' } }, true],
      ['without a status', { after: { ...licensed, status: null } }, true],
      ['returned', { after: licensed, wasListedBefore: true }, false],
      [
        'removed by a correction before, or known to another source',
        { after: licensed, wasKnown: true },
        false,
      ],
      ['revoked', { after: { ...licensed, status: 'revoked' } }, false],
      ['surrendered', { after: { ...licensed, status: 'surrendered' } }, false],
      ['expired', { after: { ...licensed, status: 'expired' } }, false],
      ['ended, without a status', { after: { ...licensed, status: null, expires_at: '2026-01-19' } }, false],
      [
        'ends today, without a status',
        { after: { ...licensed, status: null, expires_at: '2026-01-20' } },
        true,
      ],
      [
        'issued 180 days before the snapshot before',
        { after: { ...licensed, issued_at: '2025-07-14' } },
        true,
      ],
      ['issued 181 days before it', { after: { ...licensed, issued_at: '2025-07-13' } }, false],
      ['without a day of issue', { after: { ...licensed, issued_at: null } }, true],
    ]
    const entries = rows.map(([what, sides]) => [what, ofLicense(sides).some(signal => signal.isMarketEntry)])
    expect(entries).toEqual(rows.map(([what, , isEntry]) => [what, isEntry]))
  })

  test('a Signal has the state of an added record, or the last state of a removed record', () => {
    const [came] = ofLicense({ after: licensed })
    const [went] = ofLicense({ before: licensed })
    const { trading_names: _, role: __, ...whole } = licensed
    expect(came?.content.change_set).toEqual({ after: whole })
    expect(went?.content.change_set).toEqual({ before: whole })
    expect(came?.headline).toBe(
      'Otter Gaming Limited (license 1-R-2-001): added to the register of the Commission',
    )
  })
})

describe('the date of a Signal', () => {
  test.each([
    ['after the previous snapshot', '2026-01-15', '2026-01-15T00:00:00.000Z'],
    ['before it: the date of the snapshot', '2026-01-05', day(20).toISOString()],
    ['in the future', '2026-02-05', day(20).toISOString()],
    ['none', null, day(20).toISOString()],
  ])(
    'a Signal has the register’s date if it is between the two snapshots: %s',
    (_what, issued_at, expected) => {
      const [signal] = ofLicense({ after: { ...licensed, issued_at } })
      expect(signal?.occurredAt.toISOString()).toBe(expected)
    },
  )
})

describe('the Signals of a blocklist entry', () => {
  test.each([
    ['is listed', { after: blocked }, ['added_to_register']],
    ['is listed again', { after: blocked, wasListedBefore: true }, ['returned_to_register']],
    ['is left out', { before: blocked }, ['removed_from_register']],
    [
      'is dated as deleted',
      { before: blocked, after: { ...blocked, listed: false } },
      ['removed_from_register'],
    ],
    [
      'was listed and deleted between two snapshots: both',
      { after: { ...blocked, listed: false } },
      ['added_to_register', 'removed_from_register'],
    ],
    [
      'is spelled differently: none',
      { before: blocked, after: { ...blocked, published: 'RED-FOX.example' } },
      [],
    ],
    ['was deleted, and is then left out: none', { before: { ...blocked, listed: false } }, []],
  ] satisfies [string, Sides<EntryState>, string[]][])('a blocklist entry %s', (_what, sides, expected) => {
    expect(types(ofEntry(sides))).toEqual(expected)
  })

  test('a Signal of a blocklist entry is no market entry, has no license, and names the host', () => {
    const [signal] = ofEntry({ after: blocked })
    expect(signal).toMatchObject({
      isMarketEntry: false,
      headline: 'red-fox.example listed on the blocklist of the Commission',
      content: { license: null, authorized_domains: [], change_set: { domain: 'red-fox.example' } },
    })
  })

  test.each([
    ['a page, not its site', 'path', 'https://Red-Fox.example/promo', 'red-fox.example/promo'],
    [
      'the host as published, since its site may still be listed',
      'domain',
      'WWW.red-fox.example.',
      'www.red-fox.example',
    ],
    ['a normalised name', 'domain', 'www.rød-fox.example', 'www.xn--rd-fox-bya.example'],
  ])('the headline of a blocklist entry names %s', (_what, scope, published, named) => {
    const domain = named.replace(/^www\.|\/.*$/g, '')
    const [signal] = ofEntry({ before: { ...blocked, domain, scope, published } })
    expect(signal?.headline).toBe(`${named} removed from the blocklist of the Commission`)
  })
})

test('any change of a record causes each event type at most once, and only for changed fields', () => {
  const state = fc.record({
    license_number: fc.constantFrom('1', '2'),
    license_type: fc.constantFrom('a', null),
    status: fc.constantFrom('active', 'revoked', null),
    issued_at: fc.constantFrom('2026-01-15', null),
    expires_at: fc.constantFrom('2027-01-01', null),
    source_url: fc.constant(null),
    role: fc.constantFrom('operator' as const, null),
    legal_entity: fc.constantFrom('One Ltd', 'Two Ltd', null),
    trading_names: fc.constant<string[]>([]),
    authorized_domains: fc.uniqueArray(fc.constantFrom('a.example', 'b.example')),
  })
  fc.assert(
    fc.property(fc.option(state), fc.option(state), fc.boolean(), (before, after, wasListedBefore) => {
      const found = types(ofLicense({ before, after, wasListedBefore }))
      expect(new Set(found).size).toBe(found.length)
      for (const type of found) expect(registerEventTypes).toContain(type)
      if (after !== null) expect(types(ofLicense({ before: after, after }))).toEqual([])
      if ((before === null) !== (after === null)) expect(found).toHaveLength(1)
    }),
  )
})
