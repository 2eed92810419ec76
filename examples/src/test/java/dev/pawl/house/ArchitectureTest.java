package dev.pawl.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the rooms of the house may see of each other, and what their furniture may be called. */
class ArchitectureTest {
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.pawl");

  @Test
  void packagesHaveNoCycles() {
    slices()
        .assignedFrom(new OneSlicePerPackage())
        .should()
        .beFreeOfCycles()
        .because("a room whose neighbours lead back into it cannot be changed alone")
        .check(HOUSE);
  }

  @Test
  void timeIdsAndChanceComeFromOnePackage() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.pawl.time..", "dev.pawl.cli..", "dev.pawl.bench..", "dev.pawl.examples..")
        .should()
        .accessTargetWhere(JavaAccess.Predicates.target(aSourceOfTimeIdsOrChance()))
        .because("whoever decides is given the time; only dev.pawl.time asks for it")
        .check(HOUSE);
  }

  @Test
  void theEngineSeesNoJdbc() {
    noClasses()
        .that(liveInModule("engine"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..")
        .because("a store is free not to be a database")
        .check(HOUSE);
  }

  @Test
  void aNameSaysWhatTheThingIs() {
    noClasses()
        .should()
        .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl|Common|Base)")
        .because("such a name says where code was put, not what it is")
        .check(HOUSE);
  }

  @Test
  void theLeavesSeeOnlyWhatTheyMay() {
    roomSeesOnly("dev.pawl.time").check(HOUSE);
    roomSeesOnly("dev.pawl.error").check(HOUSE);
    roomSeesOnly("dev.pawl.json", "dev.pawl.error").check(HOUSE);
    roomSeesOnly("dev.pawl.log", "dev.pawl.error", "dev.pawl.json", "dev.pawl.time").check(HOUSE);
  }

  @Test
  void theScriptLanguageSeesNothingOfPawl() {
    roomSeesOnly("dev.pawl.script.lang", "dev.pawl.script.lang.syntax")
        .because("a language that knows no engine can be tested, fuzzed and moved alone")
        .check(HOUSE);
    roomSeesOnly("dev.pawl.script.lang.syntax").check(HOUSE);
  }

  @Test
  void theDoctorSeesAStoreAndNobodyAtWork() {
    roomSeesOnly("dev.pawl.doctor", "dev.pawl.store", "dev.pawl.log", "dev.pawl.error")
        .because("what checks the engine must not lean on it")
        .check(HOUSE);
  }

  private static ArchRule roomSeesOnly(String room, String... neighbours) {
    Set<String> visible =
        Stream.concat(Stream.of(room), Stream.of(neighbours))
            .collect(Collectors.toUnmodifiableSet());
    return classes()
        .that()
        .resideInAPackage(room)
        .should()
        .onlyDependOnClassesThat(
            describe(
                "belong to others or reside in " + visible,
                seen ->
                    !seen.getPackageName().startsWith("dev.pawl")
                        || visible.contains(seen.getPackageName())));
  }

  private static DescribedPredicate<AccessTarget> aSourceOfTimeIdsOrChance() {
    return describe(
        "is a source of time, ids or chance",
        target -> {
          JavaClass owner = target.getOwner();
          boolean clock = owner.getPackageName().equals("java.time") && isClock(target.getName());
          return clock || SOURCES.contains(owner.getName() + "." + target.getName());
        });
  }

  private static final Set<String> SOURCES =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Math.random",
          "java.security.SecureRandom.<init>",
          "java.util.Random.<init>",
          "java.util.SplittableRandom.<init>",
          "java.util.UUID.randomUUID",
          "java.util.concurrent.ThreadLocalRandom.current");

  private static boolean isClock(String method) {
    return method.equals("now") || method.startsWith("system") || method.startsWith("tick");
  }

  /** Modules are told apart by where their classes were read from: target/classes or a jar. */
  private static DescribedPredicate<JavaClass> liveInModule(String module) {
    return describe(
        "live in module " + module,
        javaClass ->
            javaClass
                .getSource()
                .map(source -> source.getUri().toString())
                .filter(uri ->
                    uri.contains("/" + module + "/target/")
                        || uri.contains("/pawl-" + module + "-"))
                .isPresent());
  }

  private static final class OneSlicePerPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      return SliceIdentifier.of(javaClass.getPackageName());
    }

    @Override
    public String getDescription() {
      return "the packages of dev.pawl";
    }
  }
}
