import { listPortfolioChanges } from './list-changes.ts'
import { listPortfolioMembers } from './list-members.ts'
import { getPortfolio, listPortfolios, removePortfolio } from './read-portfolios.ts'
import { changePortfolio, putPortfolio } from './write-portfolio.ts'

export {
  type ListedPortfolios,
  portfolioSessionOperations,
  type ShownPortfolio,
} from './account-portfolios.ts'
export { readChanges } from './changes-store.ts'
export { insertDemoPortfolio } from './demo-portfolio.ts'
export {
  claimDue,
  countChanges,
  type DueNotice,
  isMember,
  type Message,
  type Outcome,
  storeOutcome,
} from './notices-store.ts'
export type { NotifiedPortfolio } from './notify-portfolio.ts'
export { screenBatch } from './screen-portfolio.ts'
export { listRunningScreenings, purgePortfolioFiles, screenTask } from './screenings-store.ts'
export type { UploadedPortfolio } from './upload-portfolio.ts'

export const portfolioOperations = [
  putPortfolio,
  changePortfolio,
  listPortfolios,
  getPortfolio,
  removePortfolio,
  listPortfolioMembers,
  listPortfolioChanges,
]
