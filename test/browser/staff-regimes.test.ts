import { shipRegimes } from '../../src/features/regimes/index.ts'
import { startService } from '../harness/service.ts'
import type { Visitor } from './browser.ts'
import { describePages } from './describe-pages.ts'

/** Each way has a market, because all ways share the service. */
const markets = {
  mouse: ['peru', 'Peru'],
  keyboard: ['uruguay', 'Uruguay'],
  'keyboard, without scripts': ['austria', 'Austria'],
} as const

/** A trading name of the demo world's register. */
const brand = { market: 'ukgc', name: 'Turnstone Bingo' }

const buttonOf = (page: Visitor['page'], form: string) =>
  page.getByRole('form', { name: form }).getByRole('button')

async function start() {
  const service = await startService({ world: 'demo_with_registers', isReachable: true })
  await shipRegimes(service.service.live, service.service.now())
  return service
}

describePages('regimes', start, site => {
  site.journey('one person of staff proposes a regime, and another publishes it', async traveller => {
    const { visit, press, type, choose, look, way } = traveller
    const [market, name] = markets[way]
    const ada = await visit({ isStaff: true })
    await ada.open('/dashboard/staff/regimes')
    const form = ada.page.getByRole('form', { name: 'Propose a regime' })
    await choose(form.getByLabel('Market'), market)
    await choose(form.getByLabel('State'), 'suspended')
    await type(form.getByLabel('First day'), '2026-10-10')
    await type(form.getByLabel('Last day'), '2026-10-01')
    await type(form.getByLabel('Source'), 'https://www.example.org/law/1')
    await type(form.getByLabel('Why'), 'The decree of 10 October, read by two of us.')
    await press(form.getByRole('button', { name: 'Propose' }))
    await ada.page.getByRole('alert').waitFor()
    await look(ada, 'staff-regimes-refused')
    await type(form.getByLabel('Last day'), '2027-10-01')
    await press(form.getByRole('button', { name: 'Propose' }))
    await ada.page.getByText('Another person must approve it.').waitFor()

    const bob = await visit({ isStaff: true })
    await bob.open('/dashboard/staff/regimes')
    await look(bob, 'staff-regimes')
    await press(buttonOf(bob.page, `Approve ${market}, all`))
    const row = bob.page.getByRole('table', { name: 'Published regimes' }).getByRole('row', { name })
    await press(row.getByText('End or correct'))
    await type(row.getByLabel('Last day'), '2026-10-20')
    await type(row.getByLabel('Why'), 'Repealed')
    await press(row.getByRole('button', { name: 'Propose the end' }))
    await bob.page.getByText('Another person must approve it.').waitFor()
    await look(bob, 'staff-regimes-end')
    await press(buttonOf(bob.page, `Withdraw ${market}, all`))
    await bob.page.getByText('No regime awaits approval.').waitFor()
  })

  site.journey(
    'one person of staff proposes the site of a brand, and another approves it',
    async traveller => {
      const { visit, press, type, choose, look, way } = traveller
      const domain = `${way.replaceAll(/\W+/g, '-')}.example`
      const ada = await visit({ isStaff: true })
      await ada.open('/dashboard/staff/brands')
      const form = ada.page.getByRole('form', { name: 'Propose a site' })
      await choose(form.getByLabel('Market'), brand.market)
      await type(form.getByLabel('Brand'), 'No such brand')
      await type(form.getByLabel('Site'), domain)
      await type(form.getByLabel('Source'), `https://www.${domain}/states`)
      await type(form.getByLabel('Why'), 'Their own page')
      await press(form.getByRole('button', { name: 'Propose' }))
      await ada.page.getByRole('alert').waitFor()
      await type(form.getByLabel('Brand'), brand.name)
      await press(form.getByRole('button', { name: 'Propose' }))
      await ada.page.getByText('Another person must approve it.').waitFor()

      const bob = await visit({ isStaff: true })
      await bob.open('/dashboard/staff/brands')
      await look(bob, 'staff-brands')
      await press(buttonOf(bob.page, `Approve ${brand.name}, ${brand.market}`))
      const row = bob.page.getByRole('table', { name: 'Approved sites' }).getByRole('row', { name: domain })
      await press(row.getByText('Remove').first())
      await type(row.getByLabel('Why'), 'Sold')
      await press(row.getByRole('button', { name: 'Remove' }))
      await row.waitFor({ state: 'detached' })
    },
  )

  site.journey('a verdict and the page of its market show where gambling is prohibited', async traveller => {
    const { visit, press, look } = traveller
    const { accountRef } = await site.service.customer({ credits: 10 })
    const visitor = await visit({ accountRef })
    const { page } = visitor
    await visitor.open('/dashboard/domains/capivaradasorte.example')
    await press(page.getByRole('button', { name: 'Show the verdict for 1 credit' }))
    await page.getByText('prohibited').first().waitFor()
    await look(visitor, 'site-prohibited')
    await visitor.open('/coverage/brazil')
    await page.getByRole('heading', { name: 'What the law allows' }).waitFor()
    await page.getByText('prohibited').first().waitFor()
    await look(visitor, 'market-regimes')
  })
})
