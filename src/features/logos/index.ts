import { searchLogos } from './search-logos.ts'

export const logoOperations = [searchLogos]

export { BadImage } from './bad-image.ts'
export { type FoundImage, findImageOfSite, findImageOfSubject } from './find-image.ts'
export { type ImageChoice, isShown } from './find-image-store.ts'
export {
  defaultTheme,
  defaultVariant,
  logoKinds,
  logoSources,
  logoStatuses,
  wordCharactersMax,
  wordPattern,
} from './kinds.ts'
export { imageFormats, imageTypes, logoFileName, readLogoFileName, storedName } from './logo-file.ts'
export { blockLogoSweep } from './logo-sweep-store.ts'
export { drawMonogram } from './monogram.ts'
export { imageBytesMax, readImage } from './read-image.ts'
export { catchUpLogoSubjects, rebuildLogoSubjects } from './rebuild-subjects.ts'
export { readSiteLogos, type SiteLogo } from './site-logos-store.ts'
export { sweepLogoFiles } from './sweep-logo-files.ts'
export { type LogoLine, upsertLogoLines } from './upsert-logo-lines.ts'
export { type SiteImage, upsertSiteLogo } from './upsert-site-logo.ts'
export { verifyLogoSubjects } from './verify-subjects.ts'
export {
  showLogos,
  type WithdrawalReport,
  withdrawLogos,
} from './withdraw-logos.ts'
export { demoImages } from './world-image-url.ts'
