import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** The actions of a person on elements of a page. */
export type Hands = {
  press(target: Locator): Promise<void>
  type(target: Locator, text: string): Promise<void>
  /** Chooses an option by its value. */
  choose(target: Locator, value: string): Promise<void>
  tick(target: Locator): Promise<void>
}

const mouse: Hands = {
  press: target => target.click(),
  type: (target, text) => target.fill(text),
  choose: async (target, value) => {
    await target.selectOption(value)
  },
  tick: target => target.check(),
}

const stopsMax = 300
const typedMax = 200

/** Presses Tab until the element has the focus, which must be visible. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  const wanted = await target.elementHandle()
  for (let stops = 0; stops < stopsMax; stops += 1) {
    const outline = await wanted?.evaluate(
      element => element === document.activeElement && getComputedStyle(element).outlineStyle,
    )
    if (typeof outline === 'string') return expect(outline, 'the focus is visible').not.toBe('none')
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target} within ${stopsMax} stops`)
}

/** The actions of a person without a mouse. */
const keyboard: Hands = {
  async press(target) {
    await tabTo(target)
    await target.page().keyboard.press('Enter')
  },
  async type(target, text) {
    await tabTo(target)
    const keys = target.page().keyboard
    // A date field moves the focus from month to day to year as one types.
    if ((await target.getAttribute('type')) === 'date')
      return keys.type(text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2$3$1'))
    await keys.press('ControlOrMeta+A')
    return text.length > typedMax ? keys.insertText(text) : keys.type(text)
  },
  async choose(target, value) {
    await tabTo(target)
    const options = await target.getByRole('option').count()
    await target.page().keyboard.press('Home')
    for (let presses = 0; presses < options; presses += 1) {
      if ((await target.inputValue()) === value) return
      await target.page().keyboard.press('ArrowDown')
    }
    expect(await target.inputValue()).toBe(value)
  },
  async tick(target) {
    await tabTo(target)
    await target.page().keyboard.press('Space')
  },
}

/** The ways in which each journey is tested. */
export const ways = {
  mouse: { hands: mouse, hasScripts: true },
  keyboard: { hands: keyboard, hasScripts: true },
  'keyboard, without scripts': { hands: keyboard, hasScripts: false },
} as const

export type Way = keyof typeof ways
