import type { Session } from '../core/session-operation.ts'
import { assets } from './assets.ts'
import { type IconName, icon } from './components/icon.ts'
import { type Content, type Html, html } from './html.ts'
import type { View } from './page.ts'

type Entry = readonly [path: string, name: string, operation: string, icon: IconName]
type Group = { name: string | null; entries: readonly Entry[] }

/** A session sees the entries whose operation it may send. */
const groups: readonly Group[] = [
  { name: null, entries: [['/dashboard', 'Overview', 'show_overview', 'overview']] },
  {
    name: 'Data',
    entries: [
      ['/dashboard/companies', 'Companies', 'find_companies', 'brands'],
      ['/dashboard/licenses', 'Licenses', 'find_licenses', 'snapshots'],
      ['/dashboard/domains', 'Sites', 'find_domains', 'platforms'],
      ['/dashboard/feeds', 'Feeds', 'show_feeds', 'feeds'],
      ['/dashboard/portfolios', 'Portfolios', 'list_account_portfolios', 'statement'],
      ['/dashboard/lobbies', 'Lobbies', 'list_account_lobby_runs', 'explorer'],
      ['/dashboard/prospect-lists', 'Prospect lists', 'list_account_prospect_lists', 'lists'],
      ['/dashboard/exports', 'Exports', 'list_account_exports', 'exports'],
    ],
  },
  {
    name: 'Account',
    entries: [
      ['/dashboard/usage', 'Usage', 'list_usage', 'usage'],
      ['/dashboard/statement', 'Statement', 'show_statement', 'statement'],
      ['/dashboard/keys', 'Keys', 'list_keys', 'keys'],
      ['/dashboard/members', 'Members', 'list_members', 'members'],
    ],
  },
  {
    name: 'Staff',
    entries: [
      ['/dashboard/staff/platforms', 'Platforms', 'list_platform_readings', 'platforms'],
      ['/dashboard/staff/snapshots', 'Snapshots', 'list_quarantined_snapshots', 'snapshots'],
      ['/dashboard/staff/regimes', 'Regimes', 'list_staff_regimes', 'regimes'],
      ['/dashboard/staff/brands', 'Brands', 'list_brand_domains', 'brands'],
      ['/dashboard/staff/names', 'Names', 'list_doubtful_names', 'members'],
      ['/dashboard/staff/duplicates', 'Duplicates', 'list_duplicates', 'duplicates'],
      ['/dashboard/staff/lists', 'List requests', 'list_list_requests', 'lists'],
      ['/dashboard/staff/accounts', 'Accounts', 'list_all_accounts', 'accounts'],
      ['/dashboard/staff/audit', 'Audit', 'list_audit_events', 'audit'],
    ],
  },
  { name: 'You', entries: [['/dashboard/security', 'Security', 'show_security', 'security']] },
]

export function brand(path: string): Html {
  return html`<a class="brand" href="${path}">
<img src="${assets.icon.path}" alt="" width="26" height="26">Baize</a>`
}

function entryLink([path, name, , iconName]: Entry, within: string): Html {
  const current = path === within && html` aria-current="page"`
  return html`<li><a href="${path}"${current}>${icon(iconName)}${name}</a></li>`
}

/** Shows the account of the pages. A user with several accounts can choose another. */
function shownAccount(account: NonNullable<Session['account']>, memberships: Session['memberships']): Html {
  if (memberships.length < 2)
    return html`<p class="account" title="${account.name}"><span>${account.name}</span></p>`
  const choices = memberships.map(({ accountRef, name }) => {
    const isShown = accountRef === account.accountRef && html` selected`
    return html`<option value="${accountRef}"${isShown}>${name}</option>`
  })
  return html`<form class="account" method="post" action="/dashboard/account">
<select name="account_ref" aria-label="Account">${choices}</select>
<button class="plain">Switch</button></form>`
}

export function navigation(view: View, within: string): Html {
  const { session } = view
  return html`<header class="side">
${brand('/dashboard')}
<button type="button" class="menu-button plain" popovertarget="menu">${icon('menu')}Menu</button>
<div class="menu" id="menu" popover>
${session.account && shownAccount(session.account, session.memberships)}
<nav aria-label="Dashboard">${groups.map(each => group(each, view, within))}</nav>
<div class="person"><span>${session.email}</span>
<a href="/docs/dashboard">Help</a>
<form method="post" action="/sign-out"><button class="plain">Sign out</button></form></div>
</div>
</header>`
}

function group({ name, entries }: Group, view: View, within: string): Content {
  const links = entries.filter(([, , operation]) => view.may(operation)).map(each => entryLink(each, within))
  return links.length > 0 && html`${name && html`<h2>${name}</h2>`}<ul>${links}</ul>`
}
