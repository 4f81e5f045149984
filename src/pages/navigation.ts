import type { Session } from '../core/session-operation.ts'
import { assets } from './assets.ts'
import { type IconName, icon } from './components/icon.ts'
import { type Content, type Html, html } from './html.ts'
import type { View } from './page.ts'

type Entry = { path: string; name: string; operation: string; icon: IconName }

type Group = { name: string | null; entries: readonly Entry[] }

/** Each entry as path, name, operation and icon; a session sees those that it may open. */
const groups: readonly Group[] = [
  {
    name: null,
    entries: [{ path: '/dashboard', name: 'Overview', operation: 'show_overview', icon: 'overview' }],
  },
  {
    name: 'Data',
    entries: [
      { path: '/dashboard/explorer', name: 'Explorer', operation: 'show_explorer', icon: 'explorer' },
      { path: '/dashboard/feeds', name: 'Feeds', operation: 'show_feeds', icon: 'feeds' },
      {
        path: '/dashboard/prospect-lists',
        name: 'Prospect lists',
        operation: 'list_account_prospect_lists',
        icon: 'lists',
      },
      { path: '/dashboard/exports', name: 'Exports', operation: 'list_account_exports', icon: 'exports' },
    ],
  },
  {
    name: 'Account',
    entries: [
      { path: '/dashboard/usage', name: 'Usage', operation: 'list_usage', icon: 'usage' },
      { path: '/dashboard/statement', name: 'Statement', operation: 'show_statement', icon: 'statement' },
      { path: '/dashboard/keys', name: 'Keys', operation: 'list_keys', icon: 'keys' },
      { path: '/dashboard/members', name: 'Members', operation: 'list_members', icon: 'members' },
    ],
  },
  {
    name: 'Staff',
    entries: [
      {
        path: '/dashboard/staff/platforms',
        name: 'Platforms',
        operation: 'list_platform_readings',
        icon: 'platforms',
      },
      {
        path: '/dashboard/staff/snapshots',
        name: 'Snapshots',
        operation: 'list_quarantined_snapshots',
        icon: 'snapshots',
      },
      {
        path: '/dashboard/staff/lists',
        name: 'List requests',
        operation: 'list_list_requests',
        icon: 'lists',
      },
      {
        path: '/dashboard/staff/accounts',
        name: 'Accounts',
        operation: 'list_all_accounts',
        icon: 'accounts',
      },
      { path: '/dashboard/staff/audit', name: 'Audit', operation: 'list_audit_events', icon: 'audit' },
    ],
  },
  {
    name: 'You',
    entries: [
      { path: '/dashboard/security', name: 'Security', operation: 'show_security', icon: 'security' },
    ],
  },
]

export function brand(path: string): Html {
  return html`<a class="brand" href="${path}">
<img src="${assets.icon.path}" alt="" width="26" height="26">Baize</a>`
}

function link({ path, name, icon: iconName }: Entry, within: string): Html {
  const current = path === within && html` aria-current="page"`
  return html`<li><a href="${path}"${current}>${icon(iconName)}${name}</a></li>`
}

/** The account that the pages show; with several, the choice of another. */
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
  const links = entries.filter(each => view.may(each.operation)).map(each => link(each, within))
  return links.length > 0 && html`${name && html`<h2>${name}</h2>`}<ul>${links}</ul>`
}
