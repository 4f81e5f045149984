import { listPortfolioChanges } from './list-changes.ts'
import { listPortfolioMembers } from './list-members.ts'
import { getPortfolio, listPortfolios, removePortfolio } from './read-portfolios.ts'
import { changePortfolio, putPortfolio } from './write-portfolio.ts'

export {
  type ListedPortfolios,
  portfolioSessionOperations,
  type ShownPortfolio,
  type UploadedPortfolio,
} from './account-portfolios.ts'
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

export const portfolioOperations = [
  putPortfolio,
  changePortfolio,
  listPortfolios,
  getPortfolio,
  removePortfolio,
  listPortfolioMembers,
  listPortfolioChanges,
]
