import { describe, expect, test } from 'vitest'
import { combineIdentities, type IdentityFacts } from './combine-identities.ts'

function said(fields: Partial<IdentityFacts> = {}): IdentityFacts {
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

describe('a Company of several identities', () => {
  test.each<
    [
      what: string,
      leader: Partial<IdentityFacts>,
      next: Partial<IdentityFacts>,
      combined: Partial<IdentityFacts>,
    ]
  >([
    [
      'goes by the name of the leading one',
      { company_name: 'Alpha' },
      { company_name: 'Beta' },
      { company_name: 'Alpha' },
    ],
    ['takes the next name where the leader has none', {}, { company_name: 'Beta' }, { company_name: 'Beta' }],
    [
      'is known by the names of the others too',
      { company_name: 'Alpha', legal_entity: 'Alpha Ltd', aliases: ['A'] },
      { company_name: 'Alpha', legal_entity: 'Alpha Limited', aliases: ['A', 'B'] },
      { legal_entity: 'Alpha Ltd', aliases: ['A', 'B', 'Alpha Limited'] },
    ],
    ['keeps a known kind', {}, { subject_kind: 'trade_name' }, { subject_kind: 'trade_name' }],
    ['keeps the leader’s country', { country: 'MT' }, { country: 'SE' }, { country: 'MT' }],
    [
      'has the roles of all',
      { role: ['operator'] },
      { role: ['platform_provider'] },
      { role: ['operator', 'platform_provider'] },
    ],
    [
      'is of unknown role only if all say so',
      { role: ['unknown'] },
      { role: ['operator'] },
      { role: ['operator'] },
    ],
    ['is of unknown role if all say so', { role: ['unknown'] }, { role: ['unknown'] }, { role: ['unknown'] }],
    [
      'has each brand once',
      { brands: ['Zed', 'Ace'] },
      { brands: ['Ace', 'Bee'] },
      { brands: ['Zed', 'Ace', 'Bee'] },
    ],
    ['has each app once', { apps: [app] }, { apps: [{ ...app }] }, { apps: [app] }],
    ['has an affiliate program if one has', {}, { affiliate_program: true }, { affiliate_program: true }],
    [
      'stands on the evidence of all',
      { evidence_routes: ['register'], geo_hints: ['MT'] },
      { evidence_routes: ['website', 'register'], geo_hints: ['SE'] },
      { evidence_routes: ['register', 'website'], geo_hints: ['MT', 'SE'] },
    ],
  ])('%s', (_what, leader, next, combined) => {
    expect(combineIdentities([said(leader), said(next)])).toMatchObject(combined)
  })

  test('of which none says anything is unknown', () => {
    expect(combineIdentities([said(), said(), said()])).toEqual(said())
  })
})
