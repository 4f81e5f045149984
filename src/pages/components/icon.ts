import { type Html, html } from '../html.ts'

/** The strokes are drawn on a grid of 24. */
const strokes = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  explorer: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.2 15.2 20 20',
  feeds: 'M5 5a14 14 0 0 1 14 14M5 11a8 8 0 0 1 8 8M5 18.5h.01',
  lists: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  exports: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 19h16',
  usage: 'M4 20V4M4 20h16M8.5 16v-4M13 16V8M17.5 16v-6',
  statement: 'M6 3h9l4 4v14H6zM9.5 11h6M9.5 15h6',
  keys: 'M8 18.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10.5 12.5 19 4M15.5 7.5l3 3',
  members:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-8 12-8 12 0M16 4.5a3.5 3.5 0 0 1 0 6M18 15q3 1 3 5',
  platforms: 'M12 3 4 7l8 4 8-4zM4 12l8 4 8-4M4 17l8 4 8-4',
  snapshots: 'M12 3l7 3v6c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6zM12 8.5v4M12 15.5h.01',
  regimes: 'M12 4v16M7 20h10M5 7h14M5 7l-2.5 6h5zM19 7l-2.5 6h5z',
  brands: 'M4 12V4h8l8 8-8 8zM8 8h.01',
  duplicates: 'M9 9h11v11H9zM4 15V4h11',
  accounts: 'M4 20V8l8-4 8 4v12M4 20h16M9 20v-5h6v5M9 11h.01M15 11h.01',
  audit: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  security: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2',
  empty: 'M4 13l2.5-8h11L20 13v6H4zM4 13h5l1.5 2.5h3L15 13h5',
  menu: 'M4 7h16M4 12h16M4 17h16',
} as const

export type IconName = keyof typeof strokes

/** Draws a decoration beside a text. Screen readers skip it. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${strokes[name]}"/></svg>`
}
