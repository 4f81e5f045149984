import { showCheck, startCheck } from './check-site.ts'
import { lookUpCompany } from './look-up-company.ts'
import { lookUpLicense } from './look-up-license.ts'
import { lookUpVerdict } from './look-up-verdict.ts'
import { readFeed } from './read-feed.ts'
import { showExplorer } from './show-explorer.ts'
import { showFeeds } from './show-feeds.ts'

export type { CheckShown } from './check-site.ts'
export type { VerdictLookedUp, VerdictSource } from './look-up-verdict.ts'
export type { LookedUp } from './send-look-up.ts'
export type { Explorer } from './show-explorer.ts'
export type { FeedOverview } from './show-feeds.ts'

export const lookUpOperations = [
  showExplorer,
  lookUpVerdict,
  lookUpCompany,
  lookUpLicense,
  startCheck,
  showCheck,
  showFeeds,
  readFeed,
]
