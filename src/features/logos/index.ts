import { searchLogos } from './search-logos.ts'

export const logoOperations = [searchLogos]

export { type FoundImage, findImageOfSite, findImageOfSubject } from './find-image.ts'
export { type ImageChoice, isShown } from './find-image-store.ts'
export {
  defaultTheme,
  defaultVariant,
  logoKinds,
  logoSources,
  logoStatuses,
  storedName,
  wordCharactersMax,
  wordPattern,
} from './kinds.ts'
export { blockLogoSweep } from './logo-sweep-store.ts'
export { catchUpLogoSubjects, rebuildLogoSubjects } from './rebuild-subjects.ts'
export { demoImages } from './search-logos.ts'
export { readSiteLogos, type SiteLogo } from './site-logos-store.ts'
export { sweepLogoFiles } from './sweep-logo-files.ts'
export { type LogoLine, upsertLogoLines } from './upsert-logo-lines.ts'
export { storeSiteImage, upsertSiteLogo } from './upsert-site-logo.ts'
export { verifyLogoSubjects } from './verify-subjects.ts'
export {
  showLogos,
  type WithdrawalReport,
  withdrawLogos,
} from './withdraw-logos.ts'
export { readShown } from './withdraw-store.ts'
