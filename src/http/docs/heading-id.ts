/** Returns the id of a heading, by which links in the repository name it. */
export const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
