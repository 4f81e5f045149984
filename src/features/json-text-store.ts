export const textOrNull = (text: string) => `coalesce(to_json(${text}), 'null')`

/** Writes a moment as JavaScript does: ISO 8601 in UTC with milliseconds. */
export const instantOrNull = (moment: string) =>
  `coalesce('"' || to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`
