export const textOrNull = (text: string) => `coalesce(to_json(${text}), 'null')`

/** Selects a moment as JavaScript writes it: ISO 8601 in UTC with milliseconds. */
export const instantText = (moment: string) =>
  `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const instantOrNull = (moment: string) => `coalesce('"' || ${instantText(moment)} || '"', 'null')`
