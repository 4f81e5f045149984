import { expect } from 'vitest'
import { openSources } from '../../src/features/companies/fixture.ts'
import { authorisation, day, license, licensee } from '../../src/registers/fixture.ts'
import { startService } from '../harness/service.ts'
import type { Visitor } from './browser.ts'
import { describePages } from './describe-pages.ts'

/** Each way has two pairs, because all ways share the service. */
const animals = {
  mouse: ['Otter', 'Badger'],
  keyboard: ['Stoat', 'Heron'],
  'keyboard, without scripts': ['Kite', 'Marten'],
} as const

const names = [...Object.values(animals).flat(), 'Wren', 'Bittern']

async function start() {
  const service = await startService({ world: 'demo_with_registers', isReachable: true })
  const sources = openSources(service.service.live)
  const rows = (prefix: string) =>
    names.flatMap((animal, index) => {
      const key = `${prefix}${index}`
      const site = `${animal.toLowerCase()}-${prefix.toLowerCase()}.example`
      return [
        licensee(key, {
          legalName: `Lucky ${animal} Entertainment Limited`,
          country: prefix === 'M' ? 'MT' : null,
          registrationNumber: prefix === 'M' ? `C ${1_000 + index}` : null,
          tradingNames: [`Lucky ${animal}`, ...(prefix === 'M' ? ['Red Kite Bingo'] : [])],
        }),
        license(`L${key}`, key, { licenseNumber: `B2C/${key}/2026` }),
        authorisation(site, { licenseKey: `L${key}`, licenseeKey: key }),
      ]
    })
  await sources.sync('malta', day(10), ...rows('M'))
  await sources.sync('sweden', day(10), ...rows('S'))
  return service
}

const pairOf = ({ page }: Visitor, animal: string) =>
  page.getByRole('region', { name: `Lucky ${animal} Entertainment` })

describePages('duplicates', start, site => {
  site.journey('staff merge one pair of Companies and keep another apart', async traveller => {
    const { visit, press, type, look, way } = traveller
    const [same, different] = animals[way]
    const staff = await visit({ isStaff: true })
    await staff.open('/dashboard/staff/duplicates')
    const merged = pairOf(staff, same)
    await press(merged.getByText('One party: merge'))
    await look(staff, 'staff-duplicates')
    await type(merged.getByLabel('Why').first(), 'Both annual reports name the number C 1000.')
    await press(merged.getByRole('button', { name: 'Merge' }))
    await merged.waitFor({ state: 'detached' })
    const kept = pairOf(staff, different)
    await press(kept.getByText('Different parties'))
    await type(kept.getByLabel('Why').last(), 'Two boards and two seats.')
    await press(kept.getByRole('button', { name: 'Keep apart' }))
    await kept.waitFor({ state: 'detached' })
  })

  site.journey(
    'the keys j and k move between pairs, and m and d open a decision',
    async ({ visit }) => {
      const staff = await visit({ isStaff: true })
      await staff.open('/dashboard/staff/duplicates')
      const { page } = staff
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
      await page.keyboard.press('j')
      const first = await focused()
      await page.keyboard.press('j')
      const second = await focused()
      await page.keyboard.press('k')
      expect([await focused(), first === second]).toEqual([first, false])
      await page.keyboard.press('d')
      await page.keyboard.type('jkmd')
      const { id, value } = await page.evaluate(() => {
        const { id, value } = document.activeElement as HTMLInputElement
        return { id, value }
      })
      expect([id.includes('distinct'), value]).toEqual([true, 'jkmd'])
    },
    ['keyboard'],
  )
})
