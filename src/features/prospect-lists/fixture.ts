import type { KeyContact, ProspectListResult, TargetAccount } from './result-schema.ts'

export function contact(ref: string, changes: Partial<KeyContact> = {}): KeyContact {
  return {
    contact_ref: ref,
    name: `Person ${ref}`,
    role: 'Head of Payments',
    professional_profile_url: `https://people.example/in/${ref}`,
    contact_channels: [`${ref}@luckyotter.example`],
    ...changes,
  }
}

export function target(ref: string, changes: Partial<TargetAccount> = {}): TargetAccount {
  return {
    target_ref: ref,
    name: `Target ${ref}`,
    website: `https://${ref}.example`,
    candidate_organizations: [{ name: `${ref} Holding Ltd`, role: 'licensee' }],
    key_contacts: [contact(`${ref}-c1`)],
    ...changes,
  }
}

export function listResult(...targets: TargetAccount[]): ProspectListResult {
  return {
    schema_version: 1,
    request_interpretation: {
      journey: 'Sell a payment gateway to licensed operators',
      summary: 'Operators with a British licence that take cards and no open banking.',
    },
    executive_summary: 'Two operators fit.\n\nThe first is the better one.',
    target_accounts: targets,
  }
}

export const fullResult = listResult(
  target('t1', {
    name: 'Lucky Otter',
    website: 'https://luckyotter.example/en?a=1,2',
    candidate_organizations: [
      { name: 'Lucky Otter Gaming, Ltd', role: 'licensee' },
      { name: 'Otter "Holding"', role: 'owner' },
    ],
    licences: [
      { jurisdiction: 'ukgc', licence_number: '70001', licence_type: 'Remote Casino' },
      { jurisdiction: 'mga', licence_number: 'MGA/B2C/101/2020', licence_type: null },
    ],
    brands: ['Lucky Otter', 'Otter Bet'],
    key_contacts: [
      contact('c1', {
        name: 'Ada Example',
        role: 'Chief Payments Officer, Europe',
        contact_channels: ['ada@luckyotter.example', 'a.example@otter-holding.example'],
      }),
      contact('c2', { name: 'Łukasz “Luke” Example', role: null, professional_profile_url: null }),
    ],
  }),
  target('t2', {
    name: 'Grey Heron',
    website: null,
    candidate_organizations: [],
    key_contacts: [contact('c3')],
  }),
)
