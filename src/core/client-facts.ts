/** The client software, as the request's headers name it (§2.15). */
export type ClientFacts = {
  client_version?: string
  mcp_tool_name?: string
  connector_session_id?: string
  mcp_client_name?: string
  mcp_client_version?: string
}
