import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Capture } from '../capture.ts'
import { readRegistration } from './read-registration.ts'

const domain = 'luckyotter.example'

const capture = (json: unknown, changes: Partial<Capture> = {}): Capture => ({
  kind: 'rdap',
  purpose: 'rdap',
  url: `https://rdap.example/domain/${domain}`,
  finalUrl: null,
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(json)),
  truncated: false,
  failure: null,
  redirectChain: [],
  certificate: null,
  seenAt: new Date('2026-11-01T00:00:00Z'),
  ...changes,
})

type Property = [string, Record<string, unknown>, string, unknown]
const card = (...properties: Property[]) => ['vcard', [['version', {}, 'text', '4.0'], ...properties]]
const text = (name: string, value: unknown): Property => [name, {}, 'text', value]
const address = (code: string): Property => ['adr', { cc: code }, 'text', ['', '', '', '', '', '', '']]
const registrantOf = (...properties: Property[]) => ({
  ldhName: domain,
  entities: [{ roles: ['registrant'], vcardArray: card(...properties) }],
})

const read = (...answers: unknown[]) =>
  readRegistration(
    answers.map(each => capture(each)),
    domain,
  )[0]?.value
const registrant = (answer: unknown) => (read(answer) as { registrant: unknown }).registrant

const redacted = { disclosure_status: 'redacted', name: null, organization: null, country_code: null }

test('dates and statuses of a registration come from the registry, or else the registrar', () => {
  const registry = {
    objectClassName: 'domain',
    ldhName: 'LUCKYOTTER.EXAMPLE.',
    status: ['active', 'active', ' client transfer prohibited ', 7],
    entities: [{ roles: ['registrar'], vcardArray: card(text('fn', 'Otter Names Ltd')) }],
    events: [
      { eventAction: 'registration', eventDate: '2020-05-01T10:00:00+02:00' },
      { eventAction: 'expiration', eventDate: 'never' },
    ],
  }
  const registrar = {
    ldhName: domain,
    status: ['locked'],
    events: [
      { eventAction: 'registration', eventDate: '2019-01-01T00:00:00Z' },
      { eventAction: 'expiration', eventDate: '2027-05-01T00:00:00Z' },
    ],
  }
  expect(read(registry, registrar)).toEqual({
    registrar: 'Otter Names Ltd',
    registered_at: '2020-05-01T08:00:00.000Z',
    updated_at: null,
    expires_at: '2027-05-01T00:00:00.000Z',
    domain_statuses: ['active', 'client transfer prohibited'],
    registrant: { ...redacted, disclosure_status: 'unavailable' },
  })
})

const named = (handle: string, ...properties: Property[]) => ({
  handle,
  roles: ['registrar'],
  vcardArray: card(...properties),
})
test.each<[string, unknown[], string | null]>([
  ['its own entity', [named('292', text('fn', 'Otter Names Ltd'))], 'Otter Names Ltd'],
  ['a name that is also its handle', [named('OVH', text('fn', 'OVH'))], 'OVH'],
  ['a name with digits', [named('77', text('fn', '1API GmbH'))], '1API GmbH'],
  [
    'an entity below that of another role',
    [{ roles: ['sponsor'], entities: [named('1455', text('fn', 'Otter Names Ltd'))] }],
    'Otter Names Ltd',
  ],
  [
    'an organisation below the registrar',
    [{ ...named('R-1'), entities: [{ roles: ['technical'], vcardArray: card(text('org', 'Otter AB')) }] }],
    'Otter AB',
  ],
  [
    'the organisation beside a handle',
    [named('OT-0', text('fn', 'OT-0'), text('org', 'Otter Names Ltd'))],
    'Otter Names Ltd',
  ],
  [
    'no person below the registrar',
    [{ ...named('R-1'), entities: [{ roles: ['abuse'], vcardArray: card(text('fn', 'Jane Otter')) }] }],
    null,
  ],
  ['no name', [{ handle: 'REG-OTTER', roles: ['registrar'] }], null],
  ['its handle', [named('REG-OTTER', text('fn', 'REG-OTTER'))], null],
  ['another identifier', [named('9', text('fn', 'REG-LP-204'))], null],
  ['a number', [named('9', text('fn', '1455'))], null],
  ['dashes', [named('9', text('fn', '--'))], null],
])('the registrar’s name is a name, never a handle: %s', (_name, entities, expected) => {
  expect(read({ ldhName: domain, entities })).toMatchObject({ registrar: expected })
})

test('a date before the first domains is no date of a registration', () => {
  const events = ['registration', 'expiration', 'last changed'].map((eventAction, at) => ({
    eventAction,
    eventDate: ['1985-03-15T05:00:00Z', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'][at],
  }))
  expect(read({ ldhName: domain, events })).toMatchObject({
    registered_at: '1985-03-15T05:00:00.000Z',
    expires_at: null,
    updated_at: null,
  })
})

describe('the registrant', () => {
  test.each<[string, Property[], unknown]>([
    [
      'an organisation',
      [text('kind', 'org'), text('fn', 'Jane Otter'), text('org', 'Lucky Otter plc'), address('mt')],
      { disclosure_status: 'public', name: null, organization: 'Lucky Otter plc', country_code: 'MT' },
    ],
    [
      'an organisation that is only named',
      [text('kind', 'org'), text('fn', 'Lucky Otter plc')],
      { disclosure_status: 'public', name: null, organization: 'Lucky Otter plc', country_code: null },
    ],
    ['a person', [text('fn', 'Jane Otter'), address('MT')], redacted],
    ['a person with an organisation', [text('kind', 'individual'), text('org', 'Jane Otter')], redacted],
    ['a person as an organisation', [text('fn', 'Ottilie Heron'), text('org', 'OTTILIE HERON')], redacted],
    [
      'an organisation under its own name',
      [text('fn', 'Lucky Otter Ltd'), text('org', 'Lucky Otter Ltd')],
      { disclosure_status: 'public', name: null, organization: 'Lucky Otter Ltd', country_code: null },
    ],
    [
      'a person as an organisation without a name',
      [text('fn', ''), text('org', 'Erika Mustermann')],
      redacted,
    ],
    [
      'a person as an organisation, surname first',
      [text('fn', 'Erika Mustermann'), text('org', 'Mustermann, Erika')],
      redacted,
    ],
    ['a person behind a hidden name', [text('fn', '-'), text('org', 'Erika Mustermann')], redacted],
    ['a surname that is a legal form, too', [text('fn', ''), text('org', 'Ana Sá')], redacted],
    [
      'a person whose surname names an organisation',
      [text('fn', 'Erika Bank'), text('org', 'BANK Erika')],
      redacted,
    ],
    ['an empty name', [text('fn', ''), text('org', '')], redacted],
    ['an organisation of dashes', [text('org', '---')], redacted],
    ['REDACTED FOR PRIVACY', [text('fn', 'x'), text('org', 'REDACTED FOR PRIVACY')], redacted],
    ['a privacy service', [text('org', 'Domains By Proxy, LLC'), address('US')], redacted],
    [
      'another privacy service',
      [text('org', 'Privacy service provided by Withheld for Privacy ehf')],
      redacted,
    ],
  ])(
    'the registrant of a domain is published only if it is an organisation: %s',
    (_name, properties, expected) => {
      expect(registrant(registrantOf(...properties))).toEqual(expected)
    },
  )

  test.each([
    'Malta Gaming Authority',
    'Svenska Spel Group',
    'Otterstein Stiftung',
    'Norsk Rikstoto Foundation',
    'Universität Wien',
    'Ministerio de Consumo',
    'Otter Entertainment',
    'Banca Otter',
    'UAB Lucky Otter',
    'ООО Выдра',
    'Lucky Otter Oy',
    'OTTER S.A.',
    'Otter Aktsiaselts',
  ])('%s is recognised as an organisation, with or without a person’s name', organization => {
    for (const name of ['', 'Erika Mustermann'])
      expect(registrant(registrantOf(text('fn', name), text('org', organization)))).toMatchObject({
        disclosure_status: 'public',
        organization,
      })
  })

  test('the registrant is redacted if RFC 9537 lists it, and unavailable if it is missing', () => {
    expect(registrant({ ldhName: domain, redacted: [{ name: { description: 'Registrant Name' } }] })).toEqual(
      redacted,
    )
    expect(
      registrant({ ldhName: domain, redacted: [{ name: { description: 'Tech Email' } }] }),
    ).toMatchObject({
      disclosure_status: 'unavailable',
    })
    expect(registrant({ ldhName: domain, entities: [{ roles: ['registrant'] }] })).toMatchObject({
      disclosure_status: 'unavailable',
    })
  })

  test('the registrant is that of the registrar if the registry has no registrant', () => {
    const registrar = registrantOf(text('org', 'Lucky Otter plc'))
    expect(read({ ldhName: domain }, registrar)).toMatchObject({
      registrant: { organization: 'Lucky Otter plc' },
    })
  })
})

test.each([
  ['404', capture({ ldhName: domain }, { status: 404 })],
  ['a cut answer', capture({ ldhName: domain }, { truncated: true })],
  ['another domain', capture({ ldhName: 'casino.example' })],
  ['a page', capture({}, { body: Buffer.from('<html>') })],
  ['a failure', capture({}, { status: null, body: null })],
])('an RDAP answer gives no registration if it is %s', (_name, answer) => {
  expect(readRegistration([answer], domain)).toEqual([])
})

test('any JSON of RDAP is read without an error, and no person is named', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (entities, events) => {
      const value = read({ ldhName: domain, entities, events, status: entities, redacted: events })
      expect(value).toMatchObject({ registrant: { name: null } })
    }),
  )
})

const sample = new URL('../../../../shared/data/reference/rdap/domain-example.cz.json', import.meta.url)
test.skipIf(!existsSync(sample))('a registry’s real answer is read (skipped without ../shared/data)', () => {
  const answer = capture({}, { body: readFileSync(sample) })
  expect(readRegistration([answer], 'example.cz')).toMatchObject([
    {
      section: 'registration',
      value: {
        registrar: null,
        registered_at: '2004-08-30T22:55:00.000Z',
        expires_at: '2019-08-30T12:00:00.000Z',
        domain_statuses: ['active'],
        registrant: { disclosure_status: 'unavailable' },
      },
    },
  ])
})
