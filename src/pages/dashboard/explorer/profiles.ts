import { facts, number } from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import { type License, licenseTable } from './evidence.ts'

type Named = { company_name: string | null; licenses?: readonly License[]; [member: string]: unknown }

export type Companies = { companies: readonly Named[]; matches: readonly unknown[]; matches_total: number }

/** Profiles, or the Companies that share the name. */
export function companyAnswer({ companies, matches, matches_total: total }: Companies): Html {
  return html`${companies.map(
    ({ company_name: name, licenses = [], ...rest }) => html`<h2>${name ?? 'Without a name'}</h2>
${facts(rest)}${licenses.length > 0 && html`<h3>Licenses</h3>${licenseTable(licenses)}`}`,
  )}
${
  matches.length > 0 &&
  html`<h2>${number(total)} Companies have this name</h2>
<p>Look one of them up by its Company ref.</p>${facts(matches)}`
}`
}

export type Licenses = { licenses: readonly ({ license_number: string | null } & Record<string, unknown>)[] }

export const licenseAnswer = ({ licenses }: Licenses): Html =>
  html`${licenses.map(
    ({ license_number: of, ...rest }) => html`<h2>${of ?? 'Without a number'}</h2>${facts(rest)}`,
  )}`
