import type { Shown } from '../page.ts'
import { explorerPages } from './explorer/index.ts'
import { feedPages } from './feeds.ts'
import { overviewPage } from './overview.ts'

/** The page of each session operation, by its name. */
export const shownPages: Readonly<Record<string, Shown>> = {
  show_overview: overviewPage,
  switch_account: { next: () => '/dashboard' },
  ...explorerPages,
  ...feedPages,
}
