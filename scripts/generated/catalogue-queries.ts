// Queries on PostgreSQL's catalogue for schema-sql.ts. They use only what PostgreSQL 15 has, and omit
// additions of later releases (NOT NULL as a constraint). `$1` is the schema.

const ofSchema = `relnamespace = to_regnamespace($1)`

const notBookkeeping = `class.relname <> 'applied_migrations'`

const notOfExtension = (catalogue: string, oid: string): string =>
  `not exists (select from pg_depend
                where classid = '${catalogue}'::regclass and objid = ${oid} and deptype = 'e')`

/** The query leaves out partitions, because the existing months depend on the day. */
const tables = `
  select class.relname as name,
         class.relkind::text as kind,
         class.relpersistence = 'u' as unlogged,
         obj_description(class.oid, 'pg_class') as comment,
         array_to_string(class.reloptions, ', ') as storage,
         pg_get_partkeydef(class.oid) as partition_key
    from pg_class class
   where ${ofSchema}
     and class.relkind in ('r', 'p', 'v', 'm')
     and not class.relispartition
     and ${notBookkeeping}
     and ${notOfExtension('pg_class', 'class.oid')}
   order by class.relname collate "C"`

const columns = `
  select class.relname as table,
         attribute.attname as name,
         format_type(attribute.atttypid, attribute.atttypmod) as type,
         case when attribute.attcollation <> type.typcollation then collating.collname end as collation,
         attribute.attnotnull as required,
         attribute.attidentity::text as identity,
         attribute.attgenerated::text as generated,
         pg_get_expr(value.adbin, value.adrelid) as value,
         col_description(class.oid, attribute.attnum) as comment
    from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid
    join pg_type type on type.oid = attribute.atttypid
    left join pg_collation collating on collating.oid = attribute.attcollation
    left join pg_attrdef value on value.adrelid = class.oid and value.adnum = attribute.attnum
   where class.${ofSchema}
     and class.relkind in ('r', 'p', 'v', 'm')
     and not class.relispartition
     and attribute.attnum > 0
     and not attribute.attisdropped
   order by class.relname collate "C", attribute.attnum`

/** Prints the columns of a view in place of its query, which PostgreSQL 16 prints differently from 15. */
const sources = `
  select view.relname as table,
         source.relname || ' (' ||
           string_agg(distinct attribute.attname, ', ' order by attribute.attname) || ')' as definition
    from pg_class view
    join pg_rewrite rule on rule.ev_class = view.oid
    join pg_depend reads on reads.classid = 'pg_rewrite'::regclass and reads.objid = rule.oid
                        and reads.refclassid = 'pg_class'::regclass and reads.refobjid <> view.oid
    join pg_class source on source.oid = reads.refobjid
    join pg_attribute attribute on attribute.attrelid = source.oid and attribute.attnum = reads.refobjsubid
   where view.${ofSchema}
     and view.relkind in ('v', 'm')
     and attribute.attnum > 0
   group by view.relname, source.relname
   order by view.relname collate "C", source.relname collate "C"`

const constraints = `
  select class.relname as table, con.conname as name, pg_get_constraintdef(con.oid) as definition
    from pg_constraint con
    join pg_class class on class.oid = con.conrelid
   where class.${ofSchema}
     and not class.relispartition
     and con.contype in ('p', 'u', 'f', 'c', 'x')
   order by class.relname collate "C", array_position(array['p', 'u', 'x', 'f', 'c'], con.contype::text),
            con.conname collate "C"`

const indexes = `
  select class.relname as table, pg_get_indexdef(index.indexrelid) as definition
    from pg_index index
    join pg_class class on class.oid = index.indrelid
    join pg_class own on own.oid = index.indexrelid
   where class.${ofSchema}
     and not class.relispartition
     and not exists (select from pg_constraint
                      where conindid = index.indexrelid and contype in ('p', 'u', 'x'))
   order by class.relname collate "C", own.relname collate "C"`

const triggers = `
  select class.relname as table, pg_get_triggerdef(trigger.oid) as definition
    from pg_trigger trigger
    join pg_class class on class.oid = trigger.tgrelid
   where class.${ofSchema}
     and not class.relispartition
     and not trigger.tgisinternal
   order by class.relname collate "C", trigger.tgname collate "C"`

const statistics = `
  select class.relname as table, pg_get_statisticsobjdef(extended.oid) as definition
    from pg_statistic_ext extended
    join pg_class class on class.oid = extended.stxrelid
   where extended.stxnamespace = to_regnamespace($1)
   order by class.relname collate "C", extended.stxname collate "C"`

const functions = `
  select pg_get_functiondef(function.oid) as definition,
         function.proname || '(' || pg_get_function_identity_arguments(function.oid) || ')' as signature,
         obj_description(function.oid, 'pg_proc') as comment
    from pg_proc function
   where function.pronamespace = to_regnamespace($1)
     and function.prokind in ('f', 'p')
     and ${notOfExtension('pg_proc', 'function.oid')}
   order by function.proname collate "C", pg_get_function_identity_arguments(function.oid) collate "C"`

const types = `
  select type.typname as name,
         type.typtype::text as kind,
         (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)
            from pg_enum where enumtypid = type.oid) as labels,
         (select string_agg('  ' || attname || ' ' || format_type(atttypid, atttypmod), E',\\n'
                            order by attnum)
            from pg_attribute where attrelid = type.typrelid and attnum > 0 and not attisdropped) as fields,
         format_type(type.typbasetype, type.typtypmod) as base,
         type.typnotnull as required,
         type.typdefault as value,
         (select string_agg(pg_get_constraintdef(con.oid), ' ' order by con.conname collate "C")
            from pg_constraint con where con.contypid = type.oid and con.contype = 'c') as checks,
         obj_description(type.oid, 'pg_type') as comment
    from pg_type type
   where type.typnamespace = to_regnamespace($1)
     and (type.typtype in ('e', 'd')
          or type.typtype = 'c' and exists (select from pg_class where oid = type.typrelid and relkind = 'c'))
   order by type.typname collate "C"`

const sequences = `
  select class.relname as name, format_type(sequence.seqtypid, null) as type, sequence.seqcycle as cycles
    from pg_sequence sequence
    join pg_class class on class.oid = sequence.seqrelid
   where class.${ofSchema}
     and not exists (
       select from pg_depend
        where classid = 'pg_class'::regclass and objid = class.oid and deptype in ('a', 'i'))
   order by class.relname collate "C"`

const extensions = `
  select extname as name, namespace.nspname as schema
    from pg_extension extension
    join pg_namespace namespace on namespace.oid = extension.extnamespace
   where namespace.nspname = 'extensions'
   order by extname collate "C"`

export const catalogueQueries = {
  tables,
  columns,
  sources,
  constraints,
  indexes,
  triggers,
  statistics,
  functions,
  types,
  sequences,
  extensions,
} as const
