import { expect, test } from 'vitest'
import { withClient } from '../harness/client.ts'
import { startService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'

/** Each page of the navigation with its role, and a table without which the page fails. */
const pages = [
  { path: '', name: 'Overview', roles: ['owner', 'member', 'billing'], reads: 'usage_records' },
  { path: '/companies', name: 'Companies', roles: ['owner', 'member'], reads: 'bought_answers' },
  { path: '/licenses', name: 'Licenses', roles: ['owner', 'member'], reads: 'bought_answers' },
  { path: '/domains', name: 'Sites', roles: ['owner', 'member'], reads: 'bought_answers' },
  { path: '/feeds', name: 'Feeds', roles: ['owner', 'member'], reads: 'signal_totals' },
  { path: '/portfolios', name: 'Portfolios', roles: ['owner', 'member'], reads: 'portfolios' },
  { path: '/lobbies', name: 'Lobbies', roles: ['owner', 'member'], reads: 'lobby_runs' },
  { path: '/prospect-lists', name: 'Prospect lists', roles: ['owner', 'member'], reads: 'prospect_lists' },
  { path: '/exports', name: 'Exports', roles: ['owner', 'member'], reads: 'exports' },
  { path: '/usage', name: 'Usage', roles: ['owner', 'member', 'billing'], reads: 'usage_records' },
  { path: '/statement', name: 'Statement', roles: ['owner', 'billing'], reads: 'ledger_entries' },
  { path: '/keys', name: 'Keys', roles: ['owner'], reads: 'usage_days' },
  { path: '/members', name: 'Members', roles: ['owner'], reads: 'memberships' },
  { path: '/staff/platforms', name: 'Platforms', roles: ['staff'], reads: 'platforms' },
  { path: '/staff/snapshots', name: 'Snapshots', roles: ['staff'], reads: 'register_snapshots' },
  { path: '/staff/regimes', name: 'Regimes', roles: ['staff'], reads: 'regimes' },
  { path: '/staff/brands', name: 'Brands', roles: ['staff'], reads: 'brand_domains' },
  { path: '/staff/names', name: 'Names', roles: ['staff'], reads: 'name_decisions' },
  { path: '/staff/duplicates', name: 'Duplicates', roles: ['staff'], reads: 'company_candidates' },
  { path: '/staff/lists', name: 'List requests', roles: ['staff'], reads: 'prospect_lists' },
  { path: '/staff/accounts', name: 'Accounts', roles: ['staff'], reads: 'account_balances' },
  { path: '/staff/audit', name: 'Audit', roles: ['staff'], reads: 'audit_events' },
  { path: '/security', name: 'Security', roles: ['owner', 'member', 'billing', 'staff'], reads: 'passkeys' },
] as const
const at = (path: string) => `/dashboard${path}`
const titleOf = (page: string) => /<h1>([^<]*)<\/h1>/.exec(page)?.[1]

describePages(
  'states of pages',
  () => startService({ isReachable: true }),
  site => {
    const somebody = async () => ({ accountRef: (await site.service.customer()).accountRef, isStaff: true })

    test.each(['owner', 'member', 'billing', 'staff'] as const)(
      'a page that the role %s may not see has no link, and answers like a missing page',
      async role => {
        const { accountRef } = await site.service.customer()
        const visitor = await site.visit({
          as: role === 'staff' ? { isStaff: true } : { accountRef, role },
        })
        const { page, open } = visitor
        await open(at('/nothing-here'))
        const missing = await page.textContent('h1')
        const links = await page
          .getByRole('navigation', { name: 'Dashboard' })
          .getByRole('link')
          .allTextContents()
        const allowed = pages.filter(({ roles }) => (roles as readonly string[]).includes(role))
        expect(links).toEqual(allowed.map(({ name }) => name))
        for (const { path } of pages.filter(each => !allowed.includes(each))) {
          const response = await page.goto(at(path))
          // Staff without an account have another first page.
          if (role === 'staff' && path === '') continue
          expect([path, response?.status(), await page.textContent('h1')]).toEqual([path, 404, missing])
        }
        if (role === 'billing') await inspect(visitor, 'no-rights')
      },
    )

    test('the page of an object that does not exist is an error page within the dashboard', async () => {
      const visitor = await site.visit({ as: await somebody() })
      const { page } = visitor
      for (const path of [
        '/exports/999999',
        '/usage/none',
        '/prospect-lists/pl_00000000000000000000',
        '/checks/enr_11111111111111111111',
        '/staff/accounts/acc_none',
        '/staff/platforms/none',
      ]) {
        const response = await page.goto(at(path))
        expect([path, response?.status()]).toEqual([path, 404])
        await page.getByRole('link', { name: 'Security' }).waitFor()
      }
      await inspect(visitor, 'object-not-found')
    })

    test('a page without rows shows a note in place of its list', async () => {
      const visitor = await site.visit({ as: await somebody() })
      const rows = ['', '/domains', '/statement', '/keys', '/members', '/exports', '/prospect-lists']
      for (const { path, name } of pages.filter(each => !(rows as string[]).includes(each.path))) {
        await visitor.open(at(path))
        if (!['Accounts', 'Security'].includes(name)) await visitor.page.locator('.empty').first().waitFor()
        await inspect(visitor, `empty-${name.toLowerCase().replaceAll(' ', '-')}`, { isFamiliar: true })
      }
    })

    test('a page that fails shows its request id and advice, and other pages still work', async () => {
      const as = await somebody()
      const person = await signIn(site.service, as)
      const alter = (text: string) =>
        withClient(site.service.database.connection, client => client.query(text))
      for (const { path, reads } of pages) {
        await alter(`alter table ${reads} rename to away`)
        try {
          const { status, text } = await person.get(at(path))
          expect([path, status, /Request id <code>\w/.test(text)]).toEqual([path, 500, true])
          if (reads !== 'ledger_entries') continue
          const visitor = await site.visit({ as })
          await visitor.open(at(path))
          expect(visitor.problems.splice(0)).toEqual([expect.stringMatching(/^500: .*statement$/)])
          await inspect(visitor, 'failed')
        } finally {
          await alter(`alter table away rename to ${reads}`)
        }
      }
    })

    test('a page without the database states that nothing was charged, and when to try again', async () => {
      const as = await somebody()
      const person = await signIn(site.service, as)
      const visitor = await site.visit({ as })
      // A locked table simulates an unreachable server, because the service does not wait for locks.
      await withClient(site.service.database.connection, async client => {
        await client.query('begin; lock table users in access exclusive mode')
        const answers = await Promise.all(pages.map(({ path }) => person.get(at(path))))
        for (const { status, headers, text } of answers) {
          expect([status, headers.get('retry-after')]).toEqual([503, '2'])
          expect(titleOf(text)).toBe(titleOf(answers[0]?.text ?? ''))
        }
        await visitor.open(at(''))
        expect(visitor.problems.splice(0)).toEqual([expect.stringMatching(/^503/)])
        await inspect(visitor, 'database-away')
      })
    })
  },
)
