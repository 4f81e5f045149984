import { showCheck, startSiteCheck } from './check-site.ts'
import { lookUpCompany, lookUpLicense } from './look-up-profile.ts'
import { lookUpVerdict } from './look-up-verdict.ts'
import { readFeed } from './read-feed.ts'
import { showExplorer } from './show-explorer.ts'
import { showFeeds } from './show-feeds.ts'

export type { CheckShown } from './check-site.ts'
export type { VerdictLookedUp, VerdictPeriod, VerdictSource } from './look-up-verdict.ts'
export type { LookedUp } from './send-look-up.ts'
export type { Explorer } from './show-explorer.ts'
export type { FeedOverview } from './show-feeds.ts'

export const lookUpOperations = [
  showExplorer,
  lookUpVerdict,
  lookUpCompany,
  lookUpLicense,
  startSiteCheck,
  showCheck,
  showFeeds,
  readFeed,
]
