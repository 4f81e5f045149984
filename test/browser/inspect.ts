import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Visitor } from './browser.ts'

const folder = resolve(import.meta.dirname, '../../test-results/screenshots')
const widths = [1440, 1024, 768, 360] as const
const pictured: readonly number[] = [1440, 360]
const schemes = ['light', 'dark'] as const

/**
 * Checks the current page on wide and narrow screens, light and dark, and saves four screenshots. It must
 * cause no problem, no finding of axe, and no sideways scrolling. Only tables of docs may scroll. A familiar
 * page, whose parts other tests inspect, is checked once by all rules but contrast.
 */
export async function inspect(
  { page, problems }: Visitor,
  name: string,
  { isFamiliar = false }: { isFamiliar?: boolean } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const size = page.viewportSize()
  const findings: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 0)
      findings.push(`${width}: scrolls sideways by ${overflow} pixels (${await widest(page)})`)
    findings.push(...(await hiddenParts(page)).map(part => `${width}: ${part}`))
    if (!pictured.includes(width)) continue
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(() => scrollTo(0, 0))
      // The caret stays visible, because Playwright would hide it with styles in the page.
      const path = join(folder, `${name}-${width}-${colorScheme}.png`)
      await page.screenshot({ path, fullPage: true, caret: 'initial' })
      const isWhole = colorScheme === 'light' && !(isFamiliar && width === 360)
      const found = await axeFindings(page, { hasColours: width === 1440 && !isFamiliar, isWhole })
      findings.push(...found.map(finding => `${width} ${colorScheme}: ${finding}`))
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (size !== null) await page.setViewportSize(size)
  expect([...findings, ...problems], name).toEqual([])
}

const contrast = 'color-contrast'

/**
 * Runs axe through the debugger, to which the content security policy does not apply. Contrast, the slowest
 * rule, is checked once for each scheme, and rules without colours once for each width.
 */
async function axeFindings(
  page: Page,
  { hasColours, isWhole }: { hasColours: boolean; isWhole: boolean },
): Promise<string[]> {
  if (!hasColours && !isWhole) return []
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source)
  const rules = { [contrast]: { enabled: hasColours }, 'target-size': { enabled: true } }
  const of = isWhole ? { rules } : { runOnly: [contrast] }
  const options = { ...of, resultTypes: ['violations'], preload: false }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1]?.trim() ?? ''}`,
    ),
  )
}

/** Returns parts of tables that need scrolling. Tables must fit, and are lists on narrow screens. */
const hiddenParts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.scroll')]
      .filter(each => each.scrollWidth > each.clientWidth + 1)
      .map(each => `${each.textContent?.slice(0, 60)}… is cut off`),
  )

const widest = (page: Page) =>
  page.evaluate(() => {
    const wide = [...document.querySelectorAll('body *')].filter(
      each => each.getBoundingClientRect().right > innerWidth + 1,
    )
    return wide
      .slice(0, 4)
      .map(each => `${each.tagName.toLowerCase()}.${each.className}`)
      .join(', ')
  })
