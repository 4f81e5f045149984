import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { startService } from '../harness/service.ts'
import { blocklist } from './decided-snapshots.ts'
import { describePages } from './describe-pages.ts'

describePages(
  'prospect lists',
  async () => {
    const service = await startService({ world: 'demo_with_registers', isReachable: true })
    return { ...service, list: blocklist(service) }
  },
  site => {
    const wish = 'Heads of payments at casinos with a <b>license</b> in Malta, who take no cards yet'

    site.journey(
      'an operator approves a snapshot and delivers a list in the browser, which a member downloads',
      async ({ visit, press, type, choose, tick, look, way }) => {
        const { accountRef } = await site.service.customer()
        const member = await visit({ accountRef, role: 'member' })
        const { page } = member
        await member.open('/dashboard/prospect-lists')
        await look(member, 'lists-empty')
        await type(page.getByLabel('What you sell, and to whom'), `${wish}, ${way}`)
        await choose(page.getByLabel('How often'), 'weekly')
        await press(page.getByRole('button', { name: 'Request the list' }))
        await page.getByRole('cell', { name: 'requested' }).waitFor()
        await look(member, 'lists')
        await press(page.getByRole('cell').getByRole('link'))
        await page.getByRole('heading', { name: 'Prospect list', exact: true }).waitFor()
        await look(member, 'list-requested')

        const staff = await visit({ isStaff: true })
        await site.service.list.read(100, { isApproved: true })
        await site.service.list.read(40)
        await staff.open('/dashboard/staff/snapshots')
        const snapshot = staff.page.locator('section.card').filter({ hasText: 'estonia.blocklist' })
        await type(snapshot.getByLabel('Why it is right'), 'The regulator confirmed the shorter list.')
        await press(snapshot.getByRole('button', { name: 'Approve and apply' }))
        await snapshot.getByText('Being applied').waitFor()
        await site.service.list.carryOut()
        await staff.open('/dashboard/staff/snapshots')
        await staff.page.getByText('No snapshot is quarantined.').waitFor()
        await staff.open('/dashboard/staff/lists')
        const card = staff.page.locator('details.card').filter({ hasText: `${wish}, ${way}` })
        await press(card.locator('summary').first())
        await press(card.getByRole('button', { name: 'Begin' }))
        await card.getByText('in preparation').waitFor()
        await press(card.getByRole('link', { name: 'Pick people' }))
        await type(staff.page.getByRole('textbox', { name: 'More Companies' }), 'ottermoor')
        await press(staff.page.getByRole('form', { name: 'More Companies' }).getByRole('button'))
        await tick(staff.page.getByRole('checkbox', { name: /Ottilie Weirstone/ }))
        await type(staff.page.getByLabel('What the customer wants'), 'Sell a payment gateway')
        await type(staff.page.getByLabel('How we understood it'), 'Operators that take cards')
        await type(staff.page.getByLabel('What the list says'), 'One operator fits.')
        await look(staff, 'staff-list-picked')
        await press(staff.page.getByRole('button', { name: 'Check the result' }))
        await staff.page.getByRole('heading', { name: 'Deliver this result?' }).waitFor()
        await look(staff, 'staff-list-preview')
        await press(staff.page.getByRole('button', { name: 'Deliver' }))
        await card.getByText('✓ delivered').waitFor()
        await card.getByRole('link', { name: 'Deliver again' }).waitFor()
        await look(staff, 'staff-list-delivered')

        await page.reload()
        await look(member, 'list-ready')
        const downloading = page.waitForEvent('download')
        await press(page.getByRole('link', { name: 'Download the CSV' }))
        expect(await readFile(await (await downloading).path(), 'utf8')).toContain('Ottilie Weirstone')
      },
    )

    site.journey(
      'staff assign a request of the public form to an account, and cancel it',
      async ({ visit, press, type, look, way }) => {
        const { accountRef } = await site.service.customer()
        const visitor = await visit()
        const { page } = visitor
        await visitor.open('/request-a-list')
        await look(visitor, 'request-a-list')
        const company = `Gateway Payments of the Northern and Southern Counties Ltd, ${way}`
        await type(page.getByLabel('Your name'), 'Ada Lovelace-Featherstonehaugh')
        await type(page.getByLabel('E-mail address'), 'ada@gateway.example')
        await type(page.getByLabel('Company'), company)
        await type(page.getByLabel('What you sell, and to whom'), 'Operators in Denmark that take cards.')
        await press(page.getByRole('button', { name: 'Send the request' }))
        await page.getByRole('heading', { name: 'Thank you' }).waitFor()
        await look(visitor, 'request-a-list-sent')

        const staff = await visit({ isStaff: true })
        await staff.open('/dashboard/staff/lists')
        const card = staff.page.locator('details.card').filter({ hasText: company })
        await press(card.locator('summary').first())
        await look(staff, 'staff-lists')
        await type(card.getByRole('combobox'), 'acc_none')
        await press(card.getByRole('button', { name: 'Assign' }))
        await card.getByText('There is no account acc_none').waitFor()
        await type(card.getByRole('combobox'), accountRef)
        await press(card.getByRole('button', { name: 'Assign' }))
        await card.getByText('for A customer').waitFor()
        await press(card.getByRole('button', { name: 'Cancel the list' }))
        await staff.page.waitForURL('**/lists?state=cancelled*')
        await staff.page.getByText('cancelled', { exact: true }).first().waitFor()
        await look(staff, 'staff-list-cancelled')
      },
    )
  },
)
