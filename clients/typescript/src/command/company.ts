import { Baize, type CompanyProfile, type ResolveCompanyAnswer, type ResolveCompanyParams } from '../index.ts'
import { type Command, credits, note, numberOf, UsageError } from './command.ts'
import { formatOf, formatOptions, render, type Table, tableFromFields, write } from './output.ts'

export const company: Command = {
  summary: 'The profile of a Company, at 3 credits; candidates of a name are free',
  usage: `COMPANY_REF | DOMAIN | NAME… [--json | --csv]
  --license NUMBER      instead: by the number of a license
  --jurisdiction CODE   of that license, if several use the number
  --max-credits N       refuse, free of charge, what would cost more`,
  options: {
    ...formatOptions,
    license: { type: 'string' },
    jurisdiction: { type: 'string' },
    'max-credits': { type: 'string' },
  },
  async run(words, flags) {
    const format = formatOf(flags)
    const by = paramsOf(words.join(' ').trim(), flags.license, flags.jurisdiction)
    const call = new Baize().resolveCompany({ ...by, max_credits: numberOf(flags, 'max-credits') })
    const { data, creditsCharged } = await call.withResponse()
    await write(render(format, tableOf(data, format === 'table'), { values: data }))
    if (format === 'table') {
      if (data.matches.length > 0) note('\nSeveral have this name: send the company_ref of one.')
      note(`${credits(creditsCharged ?? 0)} charged.`)
    }
    return data.companies.length > 0 ? 0 : 1
  },
}

function paramsOf(text: string, license: unknown, jurisdiction: unknown): ResolveCompanyParams {
  if (typeof license === 'string')
    return { license_number: license, jurisdiction: jurisdiction as ResolveCompanyParams['jurisdiction'] }
  if (text === '') throw new UsageError('Name a Company: its reference, a domain or its name.')
  if (/^co_\w+$/.test(text)) return { company_ref: text }
  return /^\S+\.\S+$/.test(text) ? { domain: text } : { name: text }
}

function tableOf({ companies, matches }: ResolveCompanyAnswer, isForPeople: boolean): Table {
  if (matches.length > 0) {
    const titles = ['company_ref', 'company_name', 'legal_entity', 'country', 'primary_domain'] as const
    const lines = matches.map(match => [
      match.company_ref,
      match.company_name ?? '',
      match.legal_entity ?? '',
      match.country ?? '',
      match.primary_domain?.domain ?? '',
    ])
    return { titles, lines }
  }
  const profiles = companies.map(fieldsOfProfile)
  const tables = profiles.map(fields => tableFromFields(isForPeople ? 'table' : 'csv', fields))
  return { titles: tables[0]?.titles ?? [], lines: tables.flatMap(table => table.lines) }
}

function fieldsOfProfile(profile: CompanyProfile): Record<string, string> {
  return {
    company_ref: profile.company_ref,
    company_name: profile.company_name ?? '',
    legal_entity: profile.legal_entity ?? '',
    country: profile.country ?? '',
    role: profile.role.join('; '),
    brands: profile.brands.join('; '),
    domains: profile.domains.map(({ domain }) => domain).join('; '),
    licenses: profile.licenses
      .map(({ jurisdiction, license_number, status }) => [jurisdiction, license_number, status].join(' '))
      .join('; '),
    payment_methods: profile.payment_methods.join('; '),
    supplier_brands: profile.supplier_brands.join('; '),
    platform_brands: profile.platform_brands.join('; '),
  }
}
