import { expect, test } from 'vitest'
import { combineIdentities, type IdentityFacts } from './combine-identities.ts'

function facts(fields: Partial<IdentityFacts> = {}): IdentityFacts {
  return {
    company_name: null,
    legal_entity: null,
    subject_kind: 'unknown',
    role: ['unknown'],
    country: null,
    brands: [],
    aliases: [],
    apps: [],
    affiliate_program: false,
    geo_hints: [],
    evidence_routes: [],
    ...fields,
  }
}

const app = { store: 'google_play', app_id: 'example.alpha', url: 'https://stores.example/alpha' }

type Example = [
  what: string,
  leader: Partial<IdentityFacts>,
  next: Partial<IdentityFacts>,
  combined: Partial<IdentityFacts>,
]

test("a Company's first identity decides, the next ones fill gaps, and lists are joined", () => {
  const examples: Example[] = [
    ['leader’s name', { company_name: 'Alpha' }, { company_name: 'Beta' }, { company_name: 'Alpha' }],
    ['first known name', {}, { company_name: 'Beta' }, { company_name: 'Beta' }],
    [
      'other names as aliases',
      { company_name: 'Alpha', legal_entity: 'Alpha Ltd', subject_kind: 'legal_entity', aliases: ['A'] },
      { company_name: 'Alpha', legal_entity: 'Alpha Limited', aliases: ['A', 'B'] },
      { legal_entity: 'Alpha Ltd', aliases: ['A', 'B', 'Alpha Limited'] },
    ],
    [
      'no legal name of a trade name',
      { company_name: 'Alpha', legal_entity: 'Alpha Ltd', subject_kind: 'trade_name' },
      { legal_entity: 'Alpha Limited', subject_kind: 'legal_entity' },
      { company_name: 'Alpha', legal_entity: 'Alpha Limited', aliases: ['Alpha Ltd'] },
    ],
    [
      'first legal name without a name',
      { legal_entity: 'Alpha Ltd', subject_kind: 'trade_name' },
      { legal_entity: 'Beta Ltd', subject_kind: 'legal_entity' },
      { company_name: 'Alpha Ltd', legal_entity: 'Beta Ltd', aliases: [] },
    ],
    ['first known kind', {}, { subject_kind: 'trade_name' }, { subject_kind: 'trade_name' }],
    ['leader’s country', { country: 'MT' }, { country: 'SE' }, { country: 'MT' }],
    [
      'all roles',
      { role: ['operator'] },
      { role: ['platform_provider'] },
      { role: ['operator', 'platform_provider'] },
    ],
    ['known role over unknown', { role: ['unknown'] }, { role: ['operator'] }, { role: ['operator'] }],
    ['unknown role only', { role: ['unknown'] }, { role: ['unknown'] }, { role: ['unknown'] }],
    [
      'each brand once',
      { brands: ['Zed', 'Ace'] },
      { brands: ['Ace', 'Bee'] },
      { brands: ['Zed', 'Ace', 'Bee'] },
    ],
    ['each app once', { apps: [app] }, { apps: [{ ...app }] }, { apps: [app] }],
    ['any affiliate program', {}, { affiliate_program: true }, { affiliate_program: true }],
    [
      'all evidence and places',
      { evidence_routes: ['register'], geo_hints: ['MT'] },
      { evidence_routes: ['website', 'register'], geo_hints: ['SE'] },
      { evidence_routes: ['register', 'website'], geo_hints: ['MT', 'SE'] },
    ],
  ]
  const combined = examples.map(([what, leader, next]) => [
    what,
    combineIdentities([facts(leader), facts(next)]),
  ])
  expect(combined).toMatchObject(examples.map(([what, , , expected]) => [what, expected]))
})

test('combining empty identities gives an empty Company of unknown kind and role', () => {
  expect(combineIdentities([facts(), facts(), facts()])).toEqual(facts())
})
