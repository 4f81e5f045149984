import { type Html, html } from './html.ts'
import type { View } from './page.ts'

type Entry = { path: string; name: string; operation: string }

const entries: readonly Entry[] = [
  { path: '/dashboard', name: 'Overview', operation: 'show_overview' },
  { path: '/dashboard/explorer', name: 'Explorer', operation: 'show_explorer' },
  { path: '/dashboard/feeds', name: 'Feeds', operation: 'show_feeds' },
  { path: '/dashboard/prospect-lists', name: 'Prospect lists', operation: 'list_account_prospect_lists' },
  { path: '/dashboard/exports', name: 'Exports', operation: 'list_account_exports' },
  { path: '/dashboard/usage', name: 'Usage', operation: 'list_usage' },
  { path: '/dashboard/statement', name: 'Statement', operation: 'show_statement' },
  { path: '/dashboard/keys', name: 'Keys', operation: 'list_keys' },
  { path: '/dashboard/members', name: 'Members', operation: 'list_members' },
]

const staffEntries: readonly Entry[] = [
  { path: '/dashboard/staff/platforms', name: 'Platforms', operation: 'list_platform_readings' },
  { path: '/dashboard/staff/snapshots', name: 'Snapshots', operation: 'list_held_snapshots' },
  { path: '/dashboard/staff/lists', name: 'List requests', operation: 'list_list_requests' },
  { path: '/dashboard/staff/accounts', name: 'Accounts', operation: 'list_all_accounts' },
  { path: '/dashboard/staff/audit', name: 'Audit', operation: 'list_audit_events' },
]

export function navigation(view: View, within: string): Html {
  const { session } = view
  const links = (of: readonly Entry[]) =>
    of
      .filter(each => view.may(each.operation))
      .map(
        each =>
          html`<li><a href="${each.path}"${each.path === within ? html` aria-current="page"` : ''}>${each.name}</a></li>`,
      )
  const staff = links(staffEntries)
  return html`<header class="side">
<a class="brand" href="/dashboard">Baize</a>
${session.account && html`<p class="account">${session.account.name}</p>`}
<nav aria-label="Dashboard"><ul>${links(entries)}</ul>
${staff.length > 0 && html`<h2>Staff</h2><ul>${staff}</ul>`}
</nav>
<div class="person"><a href="/dashboard/security">${session.email}</a>
<form method="post" action="/sign-out"><button class="plain">Sign out</button></form></div>
</header>`
}
