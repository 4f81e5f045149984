import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

const stopsMax = 120

/** Presses Tab until the element has the focus, which must be visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < stopsMax; stops += 1) {
    if (await target.evaluate(element => element === document.activeElement)) {
      const outline = await target.evaluate(element => getComputedStyle(element).outlineStyle)
      expect(outline, 'the focus is visible').not.toBe('none')
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target} within ${stopsMax} stops`)
}

/** As a person without a mouse presses a link or a button. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}
